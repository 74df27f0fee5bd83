/**
 * A process that waits for the lock leaves a mark file while it waits. The holder only needs to list a small folder to
 * see it; asking the kernel would cost milliseconds.
 *
 * A mark only tells the holder to hurry; the lock decides. A mark left by a killed process expires after a while and is
 * removed.
 */
import { tolerating } from "../world/files/errno.ts";
import type { Files, Folder } from "../world/files/files.ts";

export interface QueuePlace {
  readonly files: Files;
  readonly folder: Folder;
  /** Unique to this process. */
  readonly name: string;
  /** Nobody waits longer than this. */
  readonly waitMs: number;
  /** Wall time in milliseconds. */
  now(): number;
}

const prefix = "waits-";

export class Queue {
  constructor(private readonly place: QueuePlace) {}

  enter(): void {
    const { files, folder, name } = this.place;
    tolerating("EEXIST", () => files.close(files.open(folder, `${prefix}${name}`, "create")));
  }

  leave(): void {
    const { files, folder, name } = this.place;
    tolerating("ENOENT", () => files.unlink(folder, `${prefix}${name}`));
  }

  isAwaited(): boolean {
    const { files, folder } = this.place;
    return files.list(folder).some((name) => name.startsWith(prefix) && this.#isFresh(name));
  }

  #isFresh(name: string): boolean {
    const { files, folder, waitMs, now } = this.place;
    const mark = files.stat(folder, name);
    if (!mark) return false;
    if (now() - Number(mark.modified / 1_000_000n) <= 2 * waitMs) return true;
    tolerating("ENOENT", () => files.unlink(folder, name));
    return false;
  }
}
