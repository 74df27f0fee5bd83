/**
 * The port to whole folders that are ours to make and to remove: checkouts, caches. A link is not followed at the
 * end of a path, and what a former user of the folder made unreadable is made readable.
 *
 * Unlike `Files` it walks by path, so it is for folders that nobody is working in at the time.
 */
import type { BytePath } from "./byte-path.ts";

export interface FolderTrees {
  /** What is in the folder, in the order of its bytes; throws ENOENT, ENOTDIR when it is no folder. */
  list(path: BytePath): TreeEntry[];
  /** What the path itself is; nothing when it is not there. */
  look(path: BytePath): TreeEntry | undefined;
  /**
   * Equal as long as nobody has written to it: size, modes, inode and times, of which nobody can set the last one back.
   * Nothing when it is not there. Nothing is read.
   */
  mark(path: BytePath): string | undefined;
  targetOf(path: BytePath): BytePath;
  /** The one call that follows a link at the end: look first where that matters. */
  read(path: BytePath): Uint8Array;
  /** Makes the folders above it as well. */
  makeFolder(path: BytePath): void;
  /** By a temporary name, so that it is there wholly or not at all; not made durable. */
  write(path: BytePath, bytes: Uint8Array | string): void;
  /** Throws ENOENT when it is not there; the folder above the new name must be. */
  rename(from: BytePath, to: BytePath): void;
  /** Lets the owner read and write it, and enter it when it is a folder. */
  unlock(path: BytePath): void;
  /** Everything below it too, whatever its modes; nothing happens when it is not there. */
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
