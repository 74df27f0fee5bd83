/** The lock of the changesets folder: waits a while for another process, then says who holds it. */
import type { Lock } from "../durable/lock.ts";
import { takeLock } from "../durable/take-lock.ts";
import type { ChangesetsFolder } from "./changesets-folder.ts";

export function lockChangesets(
  { tree, handle }: ChangesetsFolder,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Lock> {
  return takeLock({
    files: tree.files,
    folder: handle,
    name: "lock",
    waitMs,
    where: "this root",
    ...(signal ? { signal } : {}),
  });
}
