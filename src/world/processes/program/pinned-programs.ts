/**
 * System programs by name, each looked up in PATH once for the life of this process. A program added to PATH later is
 * not run, and one that is no longer the file it was at first is refused (PROGRAM_CHANGED).
 *
 * Without a sandbox an agent can write wherever its user can: a `git` in `~/.local/bin` would otherwise become the
 * coordinator's git. So `pinPrograms` looks up what the coordinator needs before any agent runs.
 *
 * The check costs a `stat` for each folder of PATH up to the program and a few for the program itself: 0.06 to 0.2 ms
 * of CPU time, measured with 4 and 16 folders on a busy machine.
 */
import { type BigIntStats, realpathSync, statSync } from "node:fs";
import { oneLine } from "../../../std/printable.ts";
import { absolutePath } from "../clean-environment.ts";
import { type FoundProgram, findProgram } from "./find-program.ts";

/** What the coordinator starts by name, outside any sandbox. */
const needed = [
  ...["git", "flock", "perl", "mkfifo"],
  ...["sh", "bash", "stty", "ps"],
  ...["xargs", "cp", "sync", "grep", "find", "false"],
] as const;

interface Pinned {
  readonly found: FoundProgram;
  readonly identity: string | undefined;
}

const pinned = new Map<string, Pinned>();

/** `path` is the PATH to search; `more` are names in addition to those always needed. */
export function pinPrograms(path: string | undefined, more: readonly string[] = []): void {
  for (const name of [...needed, ...more]) pin(name, path);
}

/**
 * The program's path, or why it cannot be run. Throws PROGRAM_CHANGED when PATH leads to a different file than at
 * first.
 */
export function pinnedProgram(name: string, path: string | undefined = process.env.PATH): FoundProgram {
  const first = pin(name, path);
  const now = find(name, absolutePath(path));
  if (first.found.path === now.found.path && first.identity === now.identity) return first.found;
  throw new ProgramChanged(name, first.found.path, now.found.path);
}

/**
 * For callers that can do without the program: `undefined` when it is missing or no longer the file it was at first.
 */
export function unchangedProgram(name: string): string | undefined {
  try {
    return pinnedProgram(name).path;
  } catch (error) {
    if (error instanceof ProgramChanged) return undefined;
    throw error;
  }
}

function pin(name: string, path: string | undefined): Pinned {
  const folders = absolutePath(path);
  const key = `${name}\0${folders}`;
  const known = pinned.get(key) ?? find(name, folders);
  pinned.set(key, known);
  return known;
}

function find(name: string, path: string): Pinned {
  const found = findProgram({ name, folder: "/", path });
  return { found, identity: found.path === undefined ? undefined : identityOf(found.path) };
}

/** Identifies the file that would be executed, including where its links lead. Nobody can set the ctime back. */
function identityOf(path: string): string | undefined {
  const stat: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return [realpathSync(path), dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

export class ProgramChanged extends Error {
  override name = "ProgramChanged";
  readonly code = "PROGRAM_CHANGED";
  readonly hint: string;

  constructor(program: string, first: string | undefined, now: string | undefined) {
    super(`${oneLine(program, 80)} was not started: ${difference(first, now)} since cox started`);
    this.hint = `Look at ${oneLine(now ?? first ?? program, 300)}: if it was not you, an agent wrote it, so put it right. Then continue the run: cox resume`;
  }
}

function difference(first: string | undefined, now: string | undefined): string {
  const [before, after] = [first, now].map((path) => path && oneLine(path, 300));
  if (after === undefined) return `${before} was removed`;
  if (before === undefined) return `${after} appeared in PATH`;
  return before === after ? `${after} was changed` : `${after} took the place of ${before} in PATH`;
}
