/** Waits for a lock without polling. If it does not get the lock in time, the error says who holds it. */
import type { Files, Folder } from "../world/files/files.ts";
import { Lock, LockHeld } from "./lock.ts";

export interface LockOptions {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly waitMs: number;
  /** Ends the sentence "another cox works on …". */
  readonly where: string;
  readonly signal?: AbortSignal;
}

export async function takeLock(options: LockOptions): Promise<Lock> {
  const { files, folder, name, waitMs, where, signal } = options;
  const lock = await Lock.takeWithin({
    files,
    folder,
    name,
    hint: `process ${process.pid}`,
    waitMs,
    ...(signal && { signal }),
  });
  if (!lock) throw new LockHeld(where, Lock.hint(files, folder, name));
  return lock;
}
