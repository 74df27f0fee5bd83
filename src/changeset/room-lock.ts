/** The lock of the changesets folder: waits a while for another process, then says who holds it. */
import type { Lock } from "../durable/lock.ts";
import { takeLock } from "../durable/take-lock.ts";
import type { Room } from "./room.ts";

export function takeRoomLock({ tree, folder }: Room, waitMs: number, signal?: AbortSignal): Promise<Lock> {
  return takeLock({
    files: tree.files,
    folder,
    name: "lock",
    waitMs,
    where: "this root",
    ...(signal ? { signal } : {}),
  });
}
