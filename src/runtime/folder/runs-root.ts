/**
 * Finds where the runs of a folder are stored: at the top of its repository, so that commands that only look work from
 * anywhere inside. It only looks for the nearest `.git`, because asking git takes longer than the command itself.
 */
import { dirname, resolve } from "node:path";
import { errnoOf } from "../../world/files/errno.ts";
import type { Files } from "../../world/files/files.ts";

export function runsRoot(files: Files, folder = "."): string {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const isTop = hasGit(files, at);
    if (isTop) return at;
    // If the given folder does not exist, the user cannot mean one above it.
    if (at === dirname(at) || (at === start && isTop === undefined)) return start;
  }
}

/** Undefined if the folder cannot be opened. */
function hasGit(files: Files, path: string): boolean | undefined {
  try {
    const folder = files.openRoot(path);
    try {
      return files.stat(folder, ".git") !== undefined;
    } finally {
      files.close(folder);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
