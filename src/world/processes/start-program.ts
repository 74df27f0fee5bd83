/**
 * Starts one program: finds it, confines it if requested and possible, and watches over it.
 *
 * It gets the given environment plus one mark, which identifies descendants that left its process group.
 */
import { randomUUID } from "node:crypto";
import { errnoOf } from "../files/errno.ts";
import { chosenSandbox } from "../sandbox/confine.ts";
import { makeLayerFolder, removeLayerFolder } from "../sandbox/layer-folder.ts";
import type { Sandbox, SandboxedCommand, SandboxRequest } from "../sandbox/sandbox.ts";
import { type Launched, type LaunchOptions, launch } from "./launch.ts";
import type { ProcessEnd, ProcessHandle, Program } from "./processes.ts";
import { type FoundProgram, findProgram } from "./program/find-program.ts";
import { ProgramChanged, pinnedProgram } from "./program/pinned-programs.ts";
import { RetriedStart } from "./retried-start.ts";
import { RunningProgram } from "./running-program.ts";

const markName = "COX_PROCESS";

export interface SandboxOptions {
  /** Where the layers of a confined program are kept while it runs. */
  readonly layers: string;
  /**
   * Picks the sandbox; by default the best one that works on this machine. Returning `undefined` means no confinement.
   */
  readonly choose?: () => Sandbox | undefined;
}

export function startProgram(program: Program, options: SandboxOptions): ProcessHandle {
  const start = () => startOnce(program, options);
  return program.confinement ? new RetriedStart(start) : start();
}

function startOnce(program: Program, options: SandboxOptions): ProcessHandle {
  const { argv, folder, environment, confinement } = program;
  const found = findProgram({ name: argv[0], folder, path: environment.PATH ?? "/usr/bin:/bin" });
  if (found.path === undefined) return neverStarted(found);
  const mark = randomUUID();
  const marked = { ...environment, [markName]: mark };
  let sandboxed: Sandboxed | undefined;
  try {
    sandboxed =
      confinement &&
      sandbox({ argv: [found.path, ...argv.slice(1)], folder, environment: marked, confinement }, options);
    const started = sandboxed ? found : outsideSandbox(program, found);
    if (started.path === undefined) return neverStarted(started);
    const { child, pipes } = launch(
      launchOptions(program, { path: started.path, environment: marked, sandboxed }),
    );
    if (child.pid === undefined) return cleaned(refused({ child, pipes }, argv[0]), sandboxed);
    const running = new RunningProgram({
      child,
      pid: child.pid,
      pipes,
      program,
      mark: `${markName}=${mark}`,
      isNamespaced: sandboxed !== undefined,
    });
    return cleaned(running, sandboxed);
  } catch (error) {
    // Node throws for an argument with a NUL, or for more arguments than the system accepts.
    return cleaned(neverStarted(reasonOf(error, argv[0])), sandboxed);
  }
}

/** A name means the file it was at first. A path that somebody wrote means whatever is there now. */
function outsideSandbox({ argv, environment }: Program, found: FoundProgram): FoundProgram {
  return argv[0].includes("/") ? found : pinnedProgram(argv[0], environment.PATH);
}

interface Sandboxed {
  readonly command: SandboxedCommand;
  readonly layerFolder: string;
}

function sandbox(
  request: Omit<SandboxRequest, "layerFolder">,
  { layers, choose = chosenSandbox }: SandboxOptions,
): Sandboxed | undefined {
  const chosen = choose();
  if (!chosen) return undefined;
  const layerFolder = makeLayerFolder(layers);
  const command = chosen.wrap({ ...request, layerFolder });
  return command && { command, layerFolder };
}

/** Removes the program's layers when it has ended. */
function cleaned<Started extends ProcessHandle>(running: Started, sandboxed: Sandboxed | undefined): Started {
  if (sandboxed) void running.ended.then(() => removeLayerFolder(sandboxed.layerFolder));
  return running;
}

interface Start {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly sandboxed: Sandboxed | undefined;
}

function launchOptions(program: Program, { path, environment, sandboxed }: Start): LaunchOptions {
  const { folder, argv } = program;
  const input = program.isTalkedTo ? "open" : program.input;
  if (!sandboxed)
    return { path, args: argv.slice(1), name: argv[0], folder, environment, input, confined: undefined };
  const { command: confined } = sandboxed;
  const [name, ...args] = confined.argv;
  return { path: name, args, name, folder: "/", environment, input, confined };
}

/** Node reports later, in an event, why it could not start the program. */
function refused({ child, pipes }: Launched, name: string): ProcessHandle {
  for (const pipe of Object.values(pipes)) pipe?.destroy();
  const error = new Promise<unknown>((resolve) => child.once("error", resolve));
  return { ended: error.then((why) => endedBefore(reasonOf(why, name))), cancel: () => {} };
}

function neverStarted(reason: Reason): ProcessHandle {
  return { ended: Promise.resolve(endedBefore(reason)), cancel: () => {} };
}

interface Reason {
  readonly errno: string;
  readonly message: string;
}

function reasonOf(error: unknown, name: string): Reason {
  if (error instanceof ProgramChanged) return { errno: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { errno: errnoOf(error) ?? "EINVAL", message: `${name} cannot be run: ${message}` };
}

function endedBefore(reason: Reason): ProcessEnd {
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
