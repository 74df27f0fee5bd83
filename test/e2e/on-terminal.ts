/** The program on a terminal of its own, with somebody who types. */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { program } from "./program.ts";

/** Runs the program and types one answer after each question. */
const onTerminal = `
import os, pty, sys
answers = sys.argv[1].encode().decode("unicode_escape").split("|")
pid, fd = pty.fork()
if pid == 0:
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

export function answering(answers: readonly string[], cwd: string, ...args: readonly string[]) {
  return answeringIn({ cwd, env: {} }, answers, args);
}

export function answeringIn(
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  answers: readonly string[],
  args: readonly string[],
) {
  const { CI: _ci, ...ours } = process.env;
  const argv = ["-c", onTerminal, answers.join("|"), process.execPath, program, ...args];
  const all = { ...ours, ...env, TERM: "xterm" };
  const ended = spawnSync("python3", argv, { cwd, env: all, encoding: "utf8" });
  return { exitCode: ended.status, output: ended.stdout };
}
