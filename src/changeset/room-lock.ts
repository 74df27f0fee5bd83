/** The lock of the room: waits a while for another process, then says who holds it. */
import { Lock, LockHeld } from "../durable/lock.ts";
import { pause } from "../world/pause.ts";
import type { Room } from "./room.ts";

const lockName = "lock";
const pauseMs = 50;

export async function takeRoomLock(room: Room, waitMs: number, signal?: AbortSignal): Promise<Lock> {
  const { files } = room.tree;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = Lock.take(files, room.folder, lockName, `process ${process.pid}`);
    if (lock) return lock;
    if (waitedMs >= waitMs) throw new LockHeld("this root", Lock.hint(files, room.folder, lockName));
    await pause(pauseMs);
    signal?.throwIfAborted();
  }
}
