/** The real program, run as a person or a script would run it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));

export interface Run {
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function cox(args: readonly string[], { cwd, stdin = "", env = {} }: Run): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...quiet, ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output.stderr += text;
  });
  // A program that refuses early closes its end; what it did not read is no failure of the test.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exitCode) => resolve({ exitCode, ...output }));
  });
}

/** The variables that change what is printed are set by each test that means them. */
const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...quiet } = process.env;
