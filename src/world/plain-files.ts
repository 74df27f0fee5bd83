/**
 * The port to files as any program reads and writes them: by path, links followed, no root pinned, nothing promised
 * about a crash. Made for what plays an agent; whatever writes for the user goes through `Files`.
 *
 * A call that fails throws an `Error` whose `code` is the errno name ("ENOENT", "EROFS", …).
 */
export interface PlainFiles {
  read(path: string): Uint8Array;
  /** Makes the folders above, replaces what is there. */
  write(path: string, bytes: Uint8Array, how?: { readonly isExecutable: boolean }): void;
  /** Names of what is in a folder; none where there is no such folder. */
  list(path: string): readonly string[];
  /** With the folders above; one that is there is fine. */
  makeFolder(path: string): void;
  /** What is there, a link not followed; `stamp` is another one when it was replaced or written to. */
  look(path: string): Looked | undefined;
  /** A file or folder, to a place where nothing or a file is; at once, or as a copy where that is on another disk. */
  move(from: string, to: string): void;
  /** A symbolic link at `path`; makes the folders above. */
  link(path: string, target: string): void;
  /** A file, or a folder with everything in it; a link is not followed. What is not there is fine. */
  remove(path: string): void;
}

export interface Looked {
  readonly kind: "file" | "folder" | "link";
  readonly stamp: string;
}
