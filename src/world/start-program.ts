/**
 * Starts one program: finds it, confines it where that is asked for and possible, and puts it under watch.
 *
 * Its environment is what was given and one mark more, by which a descendant that left its process group is found.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { confine } from "./confine.ts";
import { errnoOf } from "./errno.ts";
import { findProgram } from "./find-program.ts";
import type { Ended, Program, Running } from "./processes.ts";
import { RunningProgram } from "./running-program.ts";

const markName = "COX_PROCESS";

export function startProgram(program: Program): Running {
  const { argv, folder, environment } = program;
  const found = findProgram({ name: argv[0], folder, path: environment.PATH ?? "/usr/bin:/bin" });
  if (found.path === undefined) return neverStarted(found);
  const mark = randomUUID();
  const launch: Launch = { ...program, path: found.path, environment: { ...environment, [markName]: mark } };
  const confined = confineIfAsked(launch);
  try {
    const child = confined ? launchConfined(launch, confined) : launchFree(launch);
    if (child.pid === undefined) return refused(child, argv[0]);
    return new RunningProgram({
      child,
      pid: child.pid,
      program,
      mark: `${markName}=${mark}`,
      isNamespaced: confined !== undefined,
    });
  } catch (error) {
    // Of an argument with a NUL, or more of them than the system takes, Node throws.
    return neverStarted(reasonOf(error, argv[0]));
  }
}

type Argv = readonly [string, ...string[]];

interface Launch extends Program {
  readonly path: string;
}

function confineIfAsked({ argv, path, folder, environment, confinement }: Launch): Argv | undefined {
  if (!confinement) return undefined;
  return confine({ argv: [path, ...argv.slice(1)], folder, environment, confinement });
}

function launchFree({ path, argv, folder, environment, input }: Launch): ChildProcess {
  return spawn(path, argv.slice(1), {
    argv0: argv[0],
    cwd: folder,
    env: environment,
    detached: true,
    stdio: [input ? "pipe" : "ignore", "pipe", "pipe"],
  });
}

/** One descriptor more, on which it is told that the confinement holds. */
function launchConfined({ environment, input }: Launch, [path, ...args]: Argv): ChildProcess {
  return spawn(path, args, {
    cwd: "/",
    env: environment,
    detached: true,
    stdio: [input ? "pipe" : "ignore", "pipe", "pipe", "pipe"],
  });
}

/** Node tells later, by an event, why it could not. */
function refused(child: ChildProcess, name: string): Running {
  const error = new Promise<unknown>((resolve) => child.once("error", resolve));
  return { ended: error.then((why) => endedBefore(reasonOf(why, name))), cancel: () => {} };
}

function neverStarted(reason: Reason): Running {
  return { ended: Promise.resolve(endedBefore(reason)), cancel: () => {} };
}

interface Reason {
  readonly errno: string;
  readonly message: string;
}

function reasonOf(error: unknown, name: string): Reason {
  const message = error instanceof Error ? error.message : String(error);
  return { errno: errnoOf(error) ?? "EINVAL", message: `${name} cannot be run: ${message}` };
}

function endedBefore(reason: Reason): Ended {
  const nothing = new Uint8Array();
  return {
    how: { kind: "not-started", ...reason },
    stdout: nothing,
    stderr: nothing,
    stdoutBytes: 0,
    stderrBytes: 0,
    escaped: [],
    durationMs: 0,
    isConfined: false,
  };
}
