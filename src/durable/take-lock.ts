/** A lock that is waited for: asks again for a while, then says who holds it. */
import type { Files, Folder } from "../world/files.ts";
import { pause } from "../world/pause.ts";
import { Lock } from "./lock.ts";

const pauseMs = 50;

export interface LockWish {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly waitMs: number;
  /** "another cox works on this root": what a failure says, before it names the holder. */
  readonly otherwise: string;
  readonly signal?: AbortSignal;
}

export async function takeLock({ files, folder, name, waitMs, otherwise, signal }: LockWish): Promise<Lock> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = Lock.take(files, folder, name, `process ${process.pid}`);
    if (lock) return lock;
    if (waitedMs >= waitMs) throw new LockHeld(otherwise, Lock.hint(files, folder, name));
    await pause(pauseMs);
    signal?.throwIfAborted();
  }
}

class LockHeld extends Error {
  override name = "LockHeld";
  readonly code = "LOCK_HELD";

  constructor(
    otherwise: string,
    readonly holder: string,
  ) {
    super(`${otherwise} (${holder || "unknown process"})`);
  }
}
