/**
 * What every way to confine a program is asked for, and what they agree on: a descriptor on which one word is said
 * when all is in force, and which the program itself never has.
 */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "./mount-table.ts";
import type { Confinement } from "./processes.ts";

export interface ConfinementWish {
  /** The program by its whole path. */
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
}

export const toldOn = 3;
export const confinementHeld = "held";

/** What is there of it, by real paths, outer folders before inner ones; what is open only where it is guarded. */
export function realFolders({ readOnly, writable }: Confinement): { guarded: string[]; open: string[] } {
  const guarded = present(readOnly);
  return {
    guarded,
    open: present(writable).filter((path) =>
      guarded.some((folder) => path === folder || isInside(path, folder)),
    ),
  };
}

function present(paths: readonly string[]): string[] {
  const real = paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  return [...new Set(real)].sort((one, other) => one.length - other.length);
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
