/** The real program, run as a person or a script would run it. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));

export interface Run {
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** A program with its arguments that runs it, such as strace. */
  readonly under?: readonly string[];
}

export interface Ended {
  readonly exitCode: number | null;
  /** The signal that ended it, if it did not end by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function cox(args: readonly string[], run: Run): Promise<Ended> {
  return start(args, run).ended;
}

/** For tests that do something to the program while it runs. */
export function start(
  args: readonly string[],
  { cwd, stdin = "", env = {}, under = [] }: Run,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const [command = process.execPath, ...rest] = [...under, process.execPath, program, ...args];
  const child = spawn(command, rest, { cwd, env: { ...quiet, ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output.stderr += text;
  });
  // A program that refuses early closes its stdin. What it did not read is not a failure of the test.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
  return { child, ended };
}

/** Removes the variables that change the output. A test that needs one sets it. */
const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...quiet } = process.env;
