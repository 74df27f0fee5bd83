/** A process in a group of its own, with nothing of ours but its three streams, and what confines it needs. */
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { type Confined, toldOn, withDescriptors } from "./confinement-wish.ts";
import { type NamedStreams, namedStreams } from "./named-streams.ts";

export interface LaunchWish {
  readonly path: string;
  readonly args: readonly string[];
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `open`: it stays so, in the child's `stdin`. */
  readonly input: Uint8Array | "open" | undefined;
  /** What `path` and `args` are of, where it is. */
  readonly confined: Confined | undefined;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly pipes: Pipes;
}

export interface Pipes {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly told: Readable | null;
}

/** Throws what `spawn` throws. */
export function launch(wish: LaunchWish): Launched {
  const streams = namedStreams(wish.input === "open" ? undefined : wish.input);
  return streams ? launchNamed(wish, streams) : launchWithSockets(wish);
}

function launchNamed(wish: LaunchWish, { theirs, stdout, stderr }: NamedStreams): Launched {
  try {
    const child = start(wish, [wish.input === "open" ? "pipe" : theirs.stdin, theirs.stdout, theirs.stderr]);
    child.stdin?.on("error", unread);
    return { child, pipes: { stdout, stderr, told: toldIn(child) } };
  } catch (error) {
    stdout.destroy();
    stderr.destroy();
    throw error;
  } finally {
    for (const fd of Object.values(theirs)) if (fd !== "ignore") closeSync(fd);
  }
}

function launchWithSockets(wish: LaunchWish): Launched {
  const child = start(wish, [wish.input ? "pipe" : "ignore", "pipe", "pipe"]);
  child.stdin?.on("error", unread);
  if (wish.input !== "open") child.stdin?.end(wish.input);
  return { child, pipes: { stdout: child.stdout, stderr: child.stderr, told: toldIn(child) } };
}

/** A program that ends or closes its stdin without reading is no failure: EPIPE is heard, and that is all. */
function unread(): void {}

function start(wish: LaunchWish, streams: (IOType | number)[]): ChildProcess {
  const spawned = (more: (IOType | number)[]) =>
    spawn(wish.path, wish.args, {
      argv0: wish.name,
      cwd: wish.folder,
      env: wish.environment,
      detached: true,
      stdio: [...streams, ...more],
    });
  return wish.confined ? withDescriptors(wish.confined, spawned) : spawned([]);
}

function toldIn(child: ChildProcess): Readable | null {
  return (child.stdio[toldOn] as Readable | null | undefined) ?? null;
}
