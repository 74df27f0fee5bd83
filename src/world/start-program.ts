/**
 * Starts one program: finds it, confines it where that is asked for and possible, and puts it under watch.
 *
 * Its environment is what was given and one mark more, by which a descendant that left its process group is found.
 */
import { randomUUID } from "node:crypto";
import { confine } from "./confine.ts";
import { errnoOf } from "./errno.ts";
import { findProgram } from "./find-program.ts";
import { type Launched, type LaunchWish, launch } from "./launch.ts";
import type { Ended, Program, Running } from "./processes.ts";
import { RunningProgram } from "./running-program.ts";

const markName = "COX_PROCESS";

export function startProgram(program: Program): Running {
  const { argv, folder, environment } = program;
  const found = findProgram({ name: argv[0], folder, path: environment.PATH ?? "/usr/bin:/bin" });
  if (found.path === undefined) return neverStarted(found);
  const mark = randomUUID();
  try {
    const wish = launchWish({ program, path: found.path, mark: { [markName]: mark } });
    const { child, pipes } = launch(wish);
    if (child.pid === undefined) return refused({ child, pipes }, argv[0]);
    return new RunningProgram({
      child,
      pid: child.pid,
      pipes,
      program,
      mark: `${markName}=${mark}`,
      isNamespaced: wish.confined !== undefined,
    });
  } catch (error) {
    // Of an argument with a NUL, or more of them than the system takes, Node throws.
    return neverStarted(reasonOf(error, argv[0]));
  }
}

interface Marked {
  readonly program: Program;
  readonly path: string;
  readonly mark: Readonly<Record<string, string>>;
}

function launchWish({ program, path, mark }: Marked): LaunchWish {
  const { folder, confinement } = program;
  const input = program.isTalkedTo ? "open" : program.input;
  const args = program.argv.slice(1);
  const environment = { ...program.environment, ...mark };
  const confined = confinement && confine({ argv: [path, ...args], folder, environment, confinement });
  if (!confined) {
    return { path, args, name: program.argv[0], folder, environment, input, confined };
  }
  const [name, ...rest] = confined.argv;
  return { path: name, args: rest, name, folder: "/", environment, input, confined };
}

/** Node tells later, by an event, why it could not. */
function refused({ child, pipes }: Launched, name: string): Running {
  for (const pipe of Object.values(pipes)) pipe?.destroy();
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
