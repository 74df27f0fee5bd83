/**
 * Who waits for a turn leaves a mark while they wait, so that whoever has the turn sees it at the cost of a look into a
 * small folder: to find it out from the kernel costs milliseconds.
 *
 * A mark says when somebody should hurry, and nothing else: the lock decides. One that a killed process left is old
 * after a while, and is removed.
 */
import { tolerating } from "../world/errno.ts";
import type { Files, Folder } from "../world/files.ts";

export interface QueuePlace {
  readonly files: Files;
  readonly folder: Folder;
  /** Of this process, like nobody else's. */
  readonly name: string;
  /** Nobody waits longer. */
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
