/**
 * A sandbox turns a command into another one that runs it confined. It prints one word on a descriptor of its own once
 * everything is in force. The program itself never gets that descriptor, and does not start before that word.
 */
import type { IOType } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { namelessFile } from "../files/nameless-file.ts";
import type { Confinement } from "../processes/processes.ts";
import { systemFolders } from "../processes/program/system-folders.ts";

export interface Sandbox {
  readonly name: string;
  /** Whether writes elsewhere go into a layer that is thrown away; otherwise they fail. */
  readonly hasLayers: boolean;
  /** `undefined` when a program that it needs is missing. */
  wrap(request: SandboxRequest): SandboxedCommand | undefined;
}

export interface SandboxRequest {
  /** The program by its absolute path, and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
  /** An empty folder for this program alone, for what the sandbox needs on disk while it runs. */
  readonly layerFolder: string;
}

export interface SandboxedCommand {
  readonly argv: readonly [string, ...string[]];
  /** The content of the file that is open as descriptor `mountsOn`. */
  readonly mounts?: string;
}

export const reportDescriptor = 3;
export const mountsOn = 4;
export const confinementHeld = "held";

/** Calls `start` with the descriptors that follow the three standard streams. */
export function withDescriptors<Started>(
  { mounts }: SandboxedCommand,
  start: (descriptors: (IOType | number)[]) => Started,
): Started {
  if (mounts === undefined) return start(["pipe"]);
  const file = namelessFile(mounts);
  try {
    return start(["pipe", file]);
  } finally {
    closeSync(file);
  }
}

/** Searches the system's own folders only: the PATH of a program to be confined cannot be trusted for this. */
export function systemProgram(name: string): string | undefined {
  return systemFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Arguments for `env` that undo what the programs in between change in the environment. */
export function environmentRepairs(environment: Readonly<Record<string, string>>): string[] {
  const names = ["PWD", "OLDPWD", "SHLVL", "_"];
  const given = names.filter((name) => environment[name] !== undefined);
  const notGiven = names.filter((name) => environment[name] === undefined);
  return [
    ...notGiven.flatMap((name) => ["-u", name]),
    ...given.map((name) => `${name}=${environment[name]}`),
  ];
}
