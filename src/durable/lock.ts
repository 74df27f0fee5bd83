/**
 * One process at a time: a kernel lock on a file, freed by the kernel when its holder ends however it ends.
 *
 * The file's text is only a hint for people. Somebody may delete the file while it is locked, and a second
 * process would then lock a new one: `isStillOurs` tells, and is asked before anything is committed.
 */
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files.ts";

export class Lock {
  private constructor(
    private readonly files: Files,
    private readonly folder: Folder,
    private readonly name: string,
    private readonly file: File,
  ) {}

  /** Nothing when another process holds it. */
  static take(files: Files, folder: Folder, name: string, hint: string): Lock | undefined {
    const file = files.open(folder, name, "append");
    const lock = new Lock(files, folder, name, file);
    if (files.lock(file) && lock.isStillOurs()) {
      files.truncate(file, 0);
      files.write(file, encodeUtf8(`${hint}\n`));
      return lock;
    }
    files.close(file);
    return undefined;
  }

  /** What the holder wrote about itself. */
  static hint(files: Files, folder: Folder, name: string): string {
    const file = files.open(folder, name, "read");
    try {
      return decodeUtf8(files.read(file, 0, 200)).trim();
    } finally {
      files.close(file);
    }
  }

  isStillOurs(): boolean {
    return this.files.stat(this.folder, this.name)?.inode === this.files.statOf(this.file).inode;
  }

  release(): void {
    this.files.close(this.file);
  }
}
