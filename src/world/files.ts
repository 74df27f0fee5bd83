/**
 * The port to the file system: everything that touches a file goes through these calls.
 *
 * They are relative to an open folder, like openat(2): a path is walked one component at a time and no call
 * ever follows a symbolic link, so nothing outside a pinned root can be reached, also while somebody swaps
 * folders for links. They are synchronous, but for `syncAll`, `syncData` and `lockWithin`, so that a model of a crashing
 * disk can stand in for them and every interleaving it explores is a real one.
 *
 * A call that fails throws an `Error` whose `code` is the errno name ("ENOENT", "EIO", …).
 */
export interface Files {
  /** Resolves links in `path` once and pins the folder it leads to. */
  openRoot(path: string): Folder;
  /** Throws ENOTDIR when `name` is a link or anything else that is not a folder. */
  openFolder(at: Folder, name: string): Folder;
  makeFolder(at: Folder, name: string): void;
  /** Throws ENOTEMPTY when something is in it. */
  removeFolder(at: Folder, name: string): void;
  /** In the order of their code units, so that nothing depends on how a file system stores them. */
  list(at: Folder): string[];
  /** Where the folder was when it was opened: for messages, and to recognise absolute paths. */
  pathOf(at: Folder): string;

  /** What `name` itself is, links not followed; nothing when it is not there. */
  stat(at: Folder, name: string): Stat | undefined;
  statOf(handle: Folder | File): Stat;
  /** Where a link points, as it is written there: for messages only, nothing is ever opened by it. */
  targetOf(at: Folder, name: string): string;

  /**
   * `read` opens what is there, never blocking on a FIFO; `create` makes a new file and throws EEXIST when the
   * name is taken, also by a link; `append` opens or makes a file. The last two can be read as well, and what they
   * make is for us alone (0600) until `chmod`, so that no secret stands open for a moment.
   * Throws ELOOP when `name` is a link. A folder can be opened to `read`, but every read of it throws EISDIR.
   */
  open(at: Folder, name: string, how: "read" | "create" | "append"): File;
  /** Up to `length` bytes from `offset`: fewer only at the end of the file. */
  read(file: File, offset: number, length: number): Uint8Array;
  /** Writes all of `bytes` at the end of the file, wherever it is by then. */
  write(file: File, bytes: Uint8Array): void;
  truncate(file: File, length: number): void;
  chmod(file: File, mode: number): void;
  /** Says when it was last written, by the wall, in milliseconds; the next write says otherwise. */
  setModified(file: File, atMs: number): void;

  /** A second name for a file; throws EEXIST rather than replace anything. */
  link(from: Folder, name: string, to: Folder, newName: string): void;
  /** Replaces what is at `newName`, in one step for every reader. */
  rename(from: Folder, name: string, to: Folder, newName: string): void;
  unlink(at: Folder, name: string): void;

  /** Makes a file's bytes and mode, or a folder's names, survive a power cut. */
  sync(handle: Folder | File): void;
  /**
   * `sync` of many at once; they share the disk's flushes, so it costs far less than one after the other.
   * Rejects with the first failure once all of them have ended; until then no handle may be closed.
   */
  syncAll(handles: readonly (Folder | File)[]): Promise<void>;
  /** Makes a file's bytes survive a power cut, without its mode and times; until it has ended nobody may close it. */
  syncData(file: File): Promise<void>;

  /** Takes the file's lock, held until it is closed or the process ends however it ends; false when it is taken. */
  lock(file: File): boolean;
  /**
   * The same, once whoever has it gives it back; false when that was not within `waitMs`. Until it has ended nobody may
   * close the file. Rejects with the signal's reason when that comes first; the lock may be ours by then.
   */
  lockWithin(file: File, waitMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Whether somebody holds it, by another handle than this. Any number may ask at once without seeing each other. */
  isLocked(file: File): boolean;
  close(handle: Folder | File): void;
}

export interface Folder {
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
  /** Nanoseconds, where the file system counts them: to tell whether a file was written in the meantime. */
  readonly modified: bigint;
}
