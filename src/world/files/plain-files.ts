/**
 * The port to files as any program reads and writes them: by path, following links, without a pinned root or any
 * promise about crashes. It is meant for code that plays an agent; whatever writes for the user goes through `Files`.
 *
 * A call that fails throws an `Error` whose `code` is the errno name ("ENOENT", "EROFS", …).
 */
export interface PlainFiles {
  read(path: string): Uint8Array;
  /** Makes missing parent folders and replaces an existing file. */
  write(path: string, bytes: Uint8Array, how?: { readonly isExecutable: boolean }): void;
  /** The names in a folder; none when the folder does not exist. */
  list(path: string): readonly string[];
  /** Makes missing parent folders too. An existing folder is fine. */
  makeFolder(path: string): void;
  /** What is at `path`, without following a link. `stamp` changes when it is replaced or written to. */
  look(path: string): FileFacts | undefined;
  /**
   * Moves a file or folder to a path that is free or holds a file. Atomic on one disk; copied when `to` is on another
   * disk.
   */
  move(from: string, to: string): void;
  /** Makes a symbolic link at `path`, with missing parent folders. */
  link(path: string, target: string): void;
  /** Removes a file, or a folder with everything in it, without following links. A missing path is fine. */
  remove(path: string): void;
}

export interface FileFacts {
  readonly kind: "file" | "folder" | "link";
  readonly stamp: string;
}
