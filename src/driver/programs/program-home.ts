/**
 * Which of an agent program's own folders outlast a turn: only its conversations and a sign-in that it renews.
 * Everything else that it writes to its home is for this turn only, so that no agent can leave behind something that
 * the program would obey or run when the user starts it.
 */
import { join } from "node:path";
import { errnoOf } from "../../world/files/errno.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";

export interface ProgramHome {
  /** Created if missing: what does not exist cannot be kept. */
  readonly keptFolders: readonly string[];
  readonly keptFiles: readonly string[];
  /** What it obeys or runs when it starts again, wherever that is. */
  readonly obeyed: readonly string[];
  /** Everything it writes to, for systems that cannot throw changes away. */
  readonly written: readonly string[];
}

export type GivenEnvironment = Readonly<Record<string, string | undefined>>;

/** For a program that keeps everything in one folder; names are relative to it. */
export function homeIn(
  folder: string,
  {
    folders,
    files = [],
    obeyed = [],
  }: Readonly<Record<"folders", readonly string[]>> & Partial<Record<"files" | "obeyed", readonly string[]>>,
): ProgramHome {
  const inside = (names: readonly string[]) => names.map((name) => join(folder, name));
  return {
    keptFolders: inside(folders),
    keptFiles: inside(files),
    obeyed: inside(obeyed),
    written: [folder],
  };
}

/** A program's folder: from its own variable, otherwise by name in the user's home. */
export function folderOf(environment: GivenEnvironment, variable: string, name: string): string {
  return environment[variable] || join(environment.HOME || "/", name);
}

/** A folder that cannot be made is not kept, but does not stop the turn. */
export function makeKeptFolders(
  files: Pick<PlainFiles, "makeFolder">,
  { keptFolders, obeyed }: ProgramHome,
): void {
  // Inside a kept folder only existing paths can be protected.
  const heldBack = obeyed.filter((path) => keptFolders.some((folder) => path.startsWith(`${folder}/`)));
  for (const path of [...keptFolders, ...heldBack]) {
    try {
      files.makeFolder(path);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }
}
