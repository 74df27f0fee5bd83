/**
 * The port to the file system: everything that touches a file goes through these calls.
 *
 * Calls are relative to an open folder, like openat(2). A path is walked one component at a time and no call ever
 * follows a symbolic link, so nothing outside a pinned root can be reached, even while somebody swaps folders for
 * links. All calls except `syncAll`, `syncData` and `lockWithin` are synchronous, so that a model of a crashing disk
 * can stand in for them and every interleaving it explores is a real one.
 *
 * A call that fails throws an `Error` whose `code` is the errno name ("ENOENT", "EIO", …).
 */
export interface Files {
  /** Resolves links in `path` once and pins the folder it leads to. */
  openRoot(path: string): Folder;
  /** Throws ENOTDIR when `name` is a link or anything else that is not a folder. */
  openFolder(at: LentFolder, name: string): Folder;
  makeFolder(at: LentFolder, name: string): void;
  /** Throws ENOTEMPTY when the folder is not empty. */
  removeFolder(at: LentFolder, name: string): void;
  /** Names sorted by code unit, so that nothing depends on how the file system stores them. */
  list(at: LentFolder): string[];
  /** The folder's path when it was opened: for messages, and to recognise absolute paths. */
  pathOf(at: LentFolder): string;

  /** What `name` itself is, without following a link; `undefined` when it does not exist. */
  stat(at: LentFolder, name: string): Stat | undefined;
  statOf(handle: LentFolder | File): Stat;
  /** A link's target as written. For messages only: nothing is ever opened through it. */
  targetOf(at: LentFolder, name: string): string;

  /**
   * `read` opens an existing file and never blocks on a FIFO. `create` makes a new file and throws EEXIST when the name
   * is taken, even by a link. `append` opens or makes a file. Files opened with the last two can be read as well. New
   * files are private (0600) until `chmod`, so that no secret is readable even for a moment. Throws ELOOP when `name`
   * is a link. A folder can be opened with `read`, but every read of it throws EISDIR.
   */
  open(at: LentFolder, name: string, how: "read" | "create" | "append"): File;
  /** Up to `length` bytes from `offset`: fewer only at the end of the file. */
  read(file: File, offset: number, length: number): Uint8Array;
  /** Appends all of `bytes` at the end of the file, wherever that is by then. */
  write(file: File, bytes: Uint8Array): void;
  truncate(file: File, length: number): void;
  chmod(file: File, mode: number): void;
  /** Sets the modification time, as wall time in milliseconds. The next write changes it again. */
  setModified(file: File, atMs: number): void;

  /** Gives a file a second name. Throws EEXIST instead of replacing anything. */
  link(from: LentFolder, name: string, to: LentFolder, newName: string): void;
  /** Replaces whatever is at `newName`, atomically for every reader. */
  rename(from: LentFolder, name: string, to: LentFolder, newName: string): void;
  unlink(at: LentFolder, name: string): void;

  /** Makes a file's bytes and mode, or a folder's names, survive a power cut. */
  sync(handle: LentFolder | File): void;
  /**
   * Syncs many handles at once. They share the disk's flushes, so it costs far less than one after the other. Rejects
   * with the first failure once all of them have finished. Close no handle before then.
   */
  syncAll(handles: readonly (LentFolder | File)[]): Promise<void>;
  /** Makes a file's bytes survive a power cut, but not its mode and times. Do not close the file before it finishes. */
  syncData(file: File): Promise<void>;

  /**
   * Takes the file's lock, which is held until the file is closed or the process ends, however it ends. Returns false
   * when somebody else holds it.
   */
  lock(file: File): boolean;
  /**
   * Like `lock`, but waits up to `waitMs` for the holder to release it; false when that takes longer. Do not close the
   * file before it finishes. Rejects with the signal's reason when the signal comes first; we may hold the lock by
   * then.
   */
  lockWithin(file: File, waitMs: number, signal?: AbortSignal): Promise<boolean>;
  /**
   * Whether it is locked through another handle than this one. Any number of callers may ask at once without disturbing
   * each other.
   */
  isLocked(file: File): boolean;
  close(handle: Folder | File): void;
}

/** An open folder. Whoever opened it owns it and closes it. */
export interface Folder extends LentFolder {
  readonly isOwned: true;
}

/**
 * A folder that somebody else owns, lent for one piece of work. Every call accepts it except `close`, and nothing that
 * keeps a `Folder` accepts it: it may be closed once that work has finished.
 */
export interface LentFolder {
  readonly kind: "folder";
}

export interface File {
  readonly kind: "file";
}

export interface Stat {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly device: number;
  readonly inode: number;
  readonly links: number;
  /** In nanoseconds, if the file system counts them. Used to tell whether a file was written in the meantime. */
  readonly modified: bigint;
}
