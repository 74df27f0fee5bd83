/** Whether a file, or a link, is there under a whole path; whatever stands in the way, it is not. */
import { basename, dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import type { Files } from "./files.ts";

export function isFile(files: Files, path: string): boolean {
  try {
    const folder = files.openRoot(dirname(path));
    try {
      const kind = files.stat(folder, basename(path))?.kind;
      return kind === "file" || kind === "link";
    } finally {
      files.close(folder);
    }
  } catch (error) {
    // No such folder, or a word that is no path at all.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
