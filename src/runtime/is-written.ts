/**
 * Whether a process is writing the run now. A lock's holder is alive: the system releases the locks of dead processes.
 */
import type { Files } from "../world/files/files.ts";
import type { RunFolder } from "./folder/run-folder.ts";

export function isWritten(files: Files, { path }: RunFolder): boolean {
  const run = files.openRoot(path);
  try {
    if (files.stat(run, "lock")?.kind !== "file") return false;
    const lock = files.open(run, "lock", "read");
    try {
      return files.isLocked(lock);
    } finally {
      files.close(lock);
    }
  } finally {
    files.close(run);
  }
}
