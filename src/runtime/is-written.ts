/** Whether a process writes the run now. Whoever holds the lock is alive: the system takes it from the dead. */
import type { Files } from "../world/files.ts";
import type { RunFolder } from "./run-folder.ts";

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
