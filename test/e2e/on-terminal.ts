/** The real program on a pseudo-terminal, with somebody at it who answers each question that ends in `[y/N`. */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { program } from "./program.ts";

/** Types one answer after each question. */
const onTerminal = `
import fcntl, os, pty, struct, sys, termios
answers = sys.argv[1].encode().decode("unicode_escape").split("|")
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
output, asked = b"", 0
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    output += chunk
    if output.count(b"[y/N") > asked and asked < len(answers):
        os.write(fd, answers[asked].encode())
        asked += 1
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(output)
sys.exit(os.waitstatus_to_exitcode(status))
`;

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

export function needsPython(context: TestContext): void {
  if (!hasPython) context.skip("a pseudo-terminal is made with python3, which is not installed");
}

export interface At {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function answering(answers: readonly string[], { cwd, env = {} }: At, ...args: readonly string[]) {
  const { CI: _ci, ...ours } = process.env;
  const argv = ["-c", onTerminal, answers.join("|"), process.execPath, program, ...args];
  const there = { cwd, env: { ...ours, TERM: "xterm", ...env }, encoding: "utf8" } as const;
  const ended = spawnSync("python3", argv, there);
  return { exitCode: ended.status, output: ended.stdout };
}
