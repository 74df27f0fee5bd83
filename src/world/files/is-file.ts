/** Whether there is a file or a link at an absolute path. Any failed system call on the way counts as no. */
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
    // There is no such folder, or the string is not a path at all.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
