/**
 * The port to whole folders that we make and remove ourselves: checkouts, caches. A link at the end of a path is not
 * followed. What an earlier user of the folder made unreadable is made readable again.
 *
 * Unlike `Files` it walks by path, so use it only for folders that nobody is working in at the time.
 */
import type { BytePath } from "../files/byte-path.ts";

export interface FolderTrees {
  /** The folder's entries, in byte order. Throws ENOENT, or ENOTDIR when it is not a folder. */
  list(path: BytePath): TreeEntry[];
  /** What the path itself is; `undefined` when it does not exist. */
  look(path: BytePath): TreeEntry | undefined;
  /**
   * A mark that stays equal as long as nobody writes to the path: mode, inode, size, and times, of which nobody can set
   * the last one (ctime) back. `undefined` when the path does not exist. Reads no content.
   */
  mark(path: BytePath): string | undefined;
  targetOf(path: BytePath): BytePath;
  /** The only call that follows a link at the end: call `look` first where that matters. */
  read(path: BytePath): Uint8Array;
  /** Makes missing parent folders too. */
  makeFolder(path: BytePath): void;
  /** Writes through a temporary name, so that the file is there completely or not at all. Not synced to disk. */
  write(path: BytePath, bytes: Uint8Array | string): void;
  /** Throws ENOENT when `from`, or the parent folder of `to`, does not exist. */
  rename(from: BytePath, to: BytePath): void;
  /** Lets the owner read and write it, and enter it if it is a folder. */
  unlock(path: BytePath): void;
  /** Removes everything below it too, whatever the modes. Does nothing when the path does not exist. */
  remove(path: BytePath): Promise<void>;
  /** Makes the names in a folder survive a power cut. */
  syncFolder(path: BytePath): void;
}

export interface TreeEntry {
  readonly name: BytePath;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** Permission bits only. */
  readonly mode: number;
}
