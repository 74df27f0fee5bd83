/** What the scripted agents have in common that are talked to over their stdio: how one is started, and what it was asked. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentEnvironment, type OurEnvironment } from "../../src/driver/agent-environment.ts";
import type { SignOfLife, TurnRequest } from "../../src/driver/driver.ts";
import { nodePlainFiles } from "../../src/world/files/node-plain-files.ts";
import { nodeProcesses } from "../../src/world/processes/node-processes.ts";

export interface Play {
  /** What it does, as its own program names it. */
  readonly deeds?: readonly object[];
  readonly manner?: object;
}

export interface ScriptedProgramOptions {
  readonly request?: Partial<TurnRequest>;
  readonly settings?: object;
  /** When it has been asked this, however long that takes, its time is over. */
  readonly timeIsUpAt?: string;
  readonly ours?: OurEnvironment;
  onSign?(sign: SignOfLife, cancel: () => void): unknown;
}

export interface ScriptedWorld {
  readonly after?: After;
  readonly ours?: OurEnvironment;
}

/** What their drivers need of the world. */
export function scriptedWorld({ after = timed, ours = { PATH: "/usr/bin:/bin" } }: ScriptedWorld = {}) {
  return {
    ...{ now: () => Date.now(), after, processes: nodeProcesses, files: nodePlainFiles },
    ...{ graceMs: 300, handshakeMs: 30_000 },
    environmentOf: (turn: TurnRequest, variables?: readonly string[]) =>
      agentEnvironment(turn, ours, variables),
  };
}

/** The command of a program that does what the file says. */
export function programThat(play: object, { program, file }: { program: string; file: string }) {
  writeFileSync(file, JSON.stringify(play));
  return [process.execPath, program, file] as [string, ...string[]];
}

/** What it was asked so far. */
export function rememberedIn(file: string): Record<string, unknown>[] {
  try {
    const lines = readFileSync(`${file}.heard`, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  } catch {
    return []; // It was never started.
  }
}

/** `files` are at its desk. */
export function turnIn(folder: string, files: Readonly<Record<string, string>> = {}) {
  const [desk, scratch] = [join(folder, "desk"), join(folder, "scratch")];
  for (const path of [desk, scratch]) mkdirSync(path, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(desk, dirname(path)), { recursive: true });
    writeFileSync(join(desk, path), text);
  }
  return {
    ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
    ...{ mode: "desk" as const, fence: "cox-5ac1", prompt: "Please do it.", readOnly: [], desk, scratch },
  };
}

export type After = (ms: number, call: () => void) => () => void;

const timed: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Time that is over when it has been asked this, however long that takes; the usual one where nothing is named. */
export function timeUntil(method: string | undefined, file: string): After {
  if (method === undefined) return timed;
  return (_, call) => {
    const timer = setInterval(() => {
      if (!rememberedIn(file).some((one) => one.method === method)) return;
      clearInterval(timer);
      call();
    }, 20);
    return () => clearInterval(timer);
  };
}
