/**
 * Runs a program of others to its end or its deadline, with an environment that is given whole, and leaves nothing of
 * it behind: what it started is found by a mark in the environment, since some children leave the group.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

export interface ToRun {
  readonly cwd: string;
  /** All of it: nothing is inherited but the mark of the test run. */
  readonly env: Readonly<Record<string, string>>;
  /** Always closed: several programs read until then. */
  readonly stdin?: string | Talk;
  readonly deadlineMs: number;
}

/** What is said one after the other, each when what was said before is answered. */
export interface Talk {
  readonly says: readonly string[];
  /** Whether a line that the program printed ends an answer. */
  isAnswer(line: string): boolean;
}

export interface Ran {
  readonly exitCode: number | null;
  /** SIGKILL when it did not end in time. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export async function run(
  argv: readonly string[],
  { cwd, env, stdin = "", deadlineMs }: ToRun,
): Promise<Ran> {
  const [program = "", ...args] = argv;
  const mark = `COX_CLIENT=${randomUUID()}`;
  const began = performance.now();
  const child = spawn(program, args, { cwd, env: { ...env, ...inherited(), COX_CLIENT: mark.slice(11) } });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output.stdout += text;
  });
  child.stdin.on("error", () => {}); // It may end without reading.
  if (typeof stdin === "string") child.stdin.end(stdin);
  else talk(child, stdin);
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output.stderr += text;
  });
  const ended = new Promise<Omit<Ran, "ms">>((resolve) => {
    child.once("error", (error) =>
      resolve({ exitCode: 127, signal: null, stdout: "", stderr: error.message }),
    );
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
  const deadline = setTimeout(() => endAll(mark), deadlineMs);
  const result = await ended;
  clearTimeout(deadline);
  await endAll(mark);
  return { ...result, ms: Math.round(performance.now() - began) };
}

function talk({ stdin, stdout }: ChildProcessWithoutNullStreams, { says, isAnswer }: Talk): void {
  const left = [...says];
  const say = () => {
    const next = left.shift();
    if (next === undefined) stdin.end();
    else stdin.write(next);
  };
  createInterface({ input: stdout }).on("line", (line) => {
    if (isAnswer(line)) say();
  });
  say();
}

/** Until nothing has the mark: a process may start another while it is being ended. */
async function endAll(mark: string): Promise<void> {
  for (let left = marked(mark); left.length > 0; left = marked(mark)) {
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
    await sleep(20);
  }
}

function marked(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
      } catch {
        return false; // Ended meanwhile, or somebody else's.
      }
    })
    .map(Number);
}

/** By which `npm test` finds what a layer left running. */
function inherited(): Record<string, string> {
  const { COX_TEST_RUN } = process.env;
  return COX_TEST_RUN === undefined ? {} : { COX_TEST_RUN };
}
