/** A lock that is waited for: asks again for a while, then says who holds it. */
import type { Files, Folder } from "../world/files.ts";
import { pause } from "../world/pause.ts";
import { Lock, LockHeld } from "./lock.ts";

const pauseMs = 50;

export interface LockWish {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly waitMs: number;
  /** Ends the sentence "another cox works on …". */
  readonly where: string;
  readonly signal?: AbortSignal;
}

export async function takeLock({ files, folder, name, waitMs, where, signal }: LockWish): Promise<Lock> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = Lock.take(files, folder, name, `process ${process.pid}`);
    if (lock) return lock;
    if (waitedMs >= waitMs) throw new LockHeld(where, Lock.hint(files, folder, name));
    await pause(pauseMs);
    signal?.throwIfAborted();
  }
}
