/**
 * One process at a time: a kernel lock on a file. The kernel frees it when its holder ends, however it ends.
 *
 * The file's text is only a hint for people. If somebody deletes the file while it is locked, a second process could
 * lock a new one. `isStillOurs` detects this, and is called before anything is committed.
 */
import { oneLine } from "../std/printable.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files/files.ts";
import { openSafely } from "./open-safely.ts";

export class Lock {
  readonly #inode: number;

  private constructor(
    private readonly files: Files,
    private readonly folder: Folder,
    private readonly name: string,
    private readonly file: File,
  ) {
    this.#inode = files.statOf(file).inode;
  }

  /** Returns undefined when another process holds it. */
  static take(files: Files, folder: Folder, name: string, hint: string): Lock | undefined {
    const file = openSafely(files, folder, name);
    try {
      const lock = new Lock(files, folder, name, file);
      if (files.lock(file) && lock.isStillOurs()) return lock.#marked(hint);
    } catch (error) {
      files.close(file);
      throw error;
    }
    files.close(file);
    return undefined;
  }

  /** The same, but waits for the holder to release it; undefined if that takes longer than `waitMs`. */
  static async takeWithin(options: LockWaitOptions): Promise<Lock | undefined> {
    const { files, folder, name, hint, waitMs, signal } = options;
    const began = performance.now();
    for (let isLate = false; !isLate; ) {
      const leftMs = Math.max(0, waitMs - (performance.now() - began));
      const file = openSafely(files, folder, name);
      try {
        const lock = new Lock(files, folder, name, file);
        const isGiven = await files.lockWithin(file, leftMs, signal);
        if (isGiven && lock.isStillOurs()) return lock.#marked(hint);
        isLate = !isGiven;
      } catch (error) {
        files.close(file);
        throw error;
      }
      // The file was removed while we waited, so the lock is on another file by now.
      files.close(file);
    }
    return undefined;
  }

  /** What the holder wrote about itself; empty when it has not done so yet, or the file is gone. */
  static hint(files: Files, folder: Folder, name: string): string {
    if (!files.stat(folder, name)) return "";
    const file = files.open(folder, name, "read");
    try {
      return oneLine(decodeUtf8(files.read(file, 0, 200)).trim());
    } finally {
      files.close(file);
    }
  }

  /** Whether the lock's file still has a name: a quick check, which misses only a file that was moved away. */
  isStillThere(): boolean {
    return this.files.statOf(this.file).links > 0;
  }

  isStillOurs(): boolean {
    return this.files.stat(this.folder, this.name)?.inode === this.#inode;
  }

  release(): void {
    this.files.close(this.file);
  }

  #marked(hint: string): this {
    this.files.truncate(this.file, 0);
    this.files.write(this.file, encodeUtf8(`${hint}\n`));
    return this;
  }
}

export interface LockWaitOptions {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly hint: string;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

/** `where` ends the sentence "another cox works on …". */
export class LockHeld extends Error {
  override name = "LockHeld";
  readonly code = "LOCK_HELD";

  constructor(
    where: string,
    readonly holder: string,
  ) {
    super(`another cox is working on ${where} (${holder || "unknown process"})`);
  }
}

/** Somebody removed or replaced the lock file while we held it: another process may be the writer now. */
export class LockLost extends Error {
  override name = "LockLost";
  readonly code = "LOCK_LOST";
  readonly hint =
    "Check whether another cox works there. Everything acknowledged is kept; start again when that one has ended.";

  constructor() {
    super("our lock was removed while we held it; nothing more is written");
  }
}
