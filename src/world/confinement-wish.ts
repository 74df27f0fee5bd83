/**
 * What every way to confine a program is asked for, and what they agree on: a descriptor on which one word is said
 * when all is in force, and which the program itself never has.
 */
import type { IOType } from "node:child_process";
import { closeSync, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "./mount-table.ts";
import { namelessFile } from "./nameless-file.ts";
import type { Confinement } from "./processes.ts";

export interface ConfinementWish {
  /** The program by its whole path. */
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
}

/** What to start instead of the program. */
export interface Confined {
  readonly argv: readonly [string, ...string[]];
  /** What it reads from the file that is open as `mountsOn`. */
  readonly mounts?: string;
}

export const toldOn = 3;
export const mountsOn = 4;
export const confinementHeld = "held";

/** `start` is given what is to follow the three streams. */
export function withDescriptors<Started>(
  { mounts }: Confined,
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

/** What is there of it, by real paths; what is open only where it is guarded. None is in another of its kind. */
export function realFolders({ readOnly, writable }: Confinement): { guarded: string[]; open: string[] } {
  const guarded = outermost(present(readOnly));
  const isGuarded = (path: string) => guarded.some((folder) => path === folder || isInside(path, folder));
  return { guarded, open: outermost(present(writable).filter(isGuarded)) };
}

function present(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));
}

function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => isInside(path, other)));
}

/** From the system's own folders only: the PATH of a program to be confined is not to be trusted with it. */
export function systemProgram(name: string): string | undefined {
  return systemFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const systemFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** For `env`: what those in between set for whom they start, put back to what was given. */
export function environmentRepairs(environment: Readonly<Record<string, string>>): string[] {
  const names = ["PWD", "OLDPWD", "SHLVL", "_"];
  const given = names.filter((name) => environment[name] !== undefined);
  const notGiven = names.filter((name) => environment[name] === undefined);
  return [
    ...notGiven.flatMap((name) => ["-u", name]),
    ...given.map((name) => `${name}=${environment[name]}`),
  ];
}
