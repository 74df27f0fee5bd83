/** Whether a process writes the run now. Whoever holds the lock is alive: the system takes it from the dead. */
import { Lock } from "../durable/lock.ts";
import type { Files } from "../world/files.ts";
import type { RunFolder } from "./run-folder.ts";

export function isWritten(files: Files, { path }: RunFolder): boolean {
  const run = files.openRoot(path);
  try {
    if (!files.stat(run, "lock")) return false;
    const lock = Lock.take(files, run, "lock", "");
    lock?.release();
    return lock === undefined;
  } finally {
    files.close(run);
  }
}
