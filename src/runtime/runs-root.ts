/**
 * Where the runs of a folder are kept: at the top of its repository, so that looking works from anywhere inside. Told by
 * the nearest `.git` alone, because asking git costs more than the look itself.
 */
import { dirname, resolve } from "node:path";
import { errnoOf } from "../world/errno.ts";
import type { Files } from "../world/files.ts";

export function runsRoot(files: Files, folder = "."): string {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const isTop = hasGit(files, at);
    if (isTop) return at;
    // Of a folder that is not there nobody means one above it.
    if (at === dirname(at) || (at === start && isTop === undefined)) return start;
  }
}

/** Nothing where the folder cannot be looked into. */
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
