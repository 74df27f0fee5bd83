/**
 * The program on a terminal of its own, with somebody who types, or sends a signal, when a text appears. Made with python3,
 * whose library has what Node's lacks.
 */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { program } from "./program.ts";

/** Once the text has appeared so often as it was waited for already, and once more. */
export interface Reaction {
  readonly when: string;
  readonly type?: string;
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGKILL";
}

const script = `
import fcntl, json, os, pty, signal, struct, sys, termios
reactions = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
output, searched = b"", 0
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    output += chunk
    while reactions:
        found = output.find(reactions[0]["when"].encode(), searched)
        if found < 0:
            break
        searched = found + 1
        reaction = reactions.pop(0)
        if "type" in reaction:
            os.write(fd, reaction["type"].encode())
        if "signal" in reaction:
            os.kill(pid, getattr(signal, reaction["signal"]))
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(output)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
`;

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

export function needsPseudoTerminal(context: TestContext): void {
  if (!hasPython) context.skip("a pseudo-terminal is made with python3, which is not installed");
}

export interface OnTerminal {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly reactions: readonly Reaction[];
}

export function onTerminal(args: readonly string[], { cwd, env = process.env, reactions }: OnTerminal) {
  const { CI: _ci, ...rest } = env;
  const argv = ["-c", script, JSON.stringify(reactions), process.execPath, program, ...args];
  const all = { ...rest, TERM: "xterm" };
  // A question that nobody expected would be waited for until the end of days.
  const ended = spawnSync("python3", argv, { cwd, env: all, encoding: "utf8", timeout: 120_000 });
  return { exitCode: ended.status, output: ended.stdout };
}
