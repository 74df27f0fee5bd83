/**
 * Starts a process in a group of its own. It inherits nothing from us but its three streams and what its sandbox needs.
 */
import type { ChildProcess, IOType } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { reportDescriptor, type SandboxedCommand, withDescriptors } from "../sandbox/sandbox.ts";
import { inheritableDescriptors } from "./inheritable-descriptors.ts";
import { type NamedStreams, namedStreams } from "./named-streams.ts";
import { spawn } from "./spawn.ts";

export interface LaunchOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `open`: stdin stays open, as the child's `stdin`. */
  readonly input: Uint8Array | "open" | undefined;
  /** The sandboxed command that `path` and `args` come from, if there is one. */
  readonly confined: SandboxedCommand | undefined;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly pipes: Pipes;
}

export interface Pipes {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly reports: Readable | null;
}

/** Throws what `spawn` throws. */
export function launch(options: LaunchOptions): Launched {
  const streams = namedStreams(options.input === "open" ? undefined : options.input);
  return streams ? launchNamed(options, streams) : launchWithSockets(options);
}

function launchNamed(options: LaunchOptions, { theirs, stdout, stderr }: NamedStreams): Launched {
  try {
    const child = start(options, [
      options.input === "open" ? "pipe" : theirs.stdin,
      theirs.stdout,
      theirs.stderr,
    ]);
    child.stdin?.on("error", unread);
    return { child, pipes: { stdout, stderr, reports: reportsOf(child) } };
  } catch (error) {
    stdout.destroy();
    stderr.destroy();
    throw error;
  } finally {
    for (const fd of Object.values(theirs)) if (fd !== "ignore") closeSync(fd);
  }
}

function launchWithSockets(options: LaunchOptions): Launched {
  const child = start(options, [options.input ? "pipe" : "ignore", "pipe", "pipe"]);
  child.stdin?.on("error", unread);
  if (options.input !== "open") child.stdin?.end(options.input);
  return { child, pipes: { stdout: child.stdout, stderr: child.stderr, reports: reportsOf(child) } };
}

/** A program that ends or closes its stdin without reading it has not failed: the EPIPE is ignored. */
function unread(): void {}

function start(options: LaunchOptions, streams: (IOType | number)[]): ChildProcess {
  const spawned = (more: (IOType | number)[]) =>
    spawn(options.path, options.args, {
      argv0: options.name,
      cwd: options.folder,
      env: options.environment,
      detached: true,
      stdio: covered([...streams, ...more]),
    });
  return options.confined ? withDescriptors(options.confined, spawned) : spawned([]);
}

/**
 * Whoever started us may have left descriptors open, and Node closes only the lowest ones for a child. Through the
 * descriptor of a folder a confined program could escape its mounts, so each one is replaced by /dev/null.
 */
function covered(streams: readonly (IOType | number)[]): (IOType | number)[] {
  nowhere ??= openSync("/dev/null", "r");
  leftOpen ??= inheritableDescriptors();
  const all: (IOType | number)[] = [...streams];
  for (const fd of leftOpen) if (fd >= streams.length) all[fd] = nowhere;
  return Array.from(all, (one) => one ?? "ignore");
}

let nowhere: number | undefined;
/** Node's own descriptors are never inherited, so only those open at our start matter. */
let leftOpen: readonly number[] | undefined;

function reportsOf(child: ChildProcess): Readable | null {
  return (child.stdio[reportDescriptor] as Readable | null | undefined) ?? null;
}
