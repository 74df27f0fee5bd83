/** A lock that is waited for, without asking again and again; when it does not come in time, it says who holds it. */
import type { Files, Folder } from "../world/files.ts";
import { Lock, LockHeld } from "./lock.ts";

export interface LockWish {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly waitMs: number;
  /** Ends the sentence "another cox works on …". */
  readonly where: string;
  readonly signal?: AbortSignal;
}

export async function takeLock(wish: LockWish): Promise<Lock> {
  const { files, folder, name, waitMs, where, signal } = wish;
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
