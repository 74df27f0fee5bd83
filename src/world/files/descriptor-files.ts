/**
 * Implements `Files` with Node's file calls, except for one question: which path reaches an open folder? `nodeFiles`
 * answers it safely, `pathFiles` as well as it can.
 *
 * All descriptors are close-on-exec, as Node opens them.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { assert } from "../../std/assert.ts";
import { fdatasyncOne, fsyncAll, readFully, statFrom, writeFully } from "./descriptor.ts";
import type { File, Files, Folder, LentFolder } from "./files.ts";
import { awaitLock, isLocked, takeFlock } from "./flock.ts";

/** `reach` is called again for each operation, and may throw to refuse it. */
export function descriptorFiles(reach: (folder: OpenFolder) => string): Files {
  return {
    openRoot: (path) => {
      // Node's own `realpathSync` checks every folder of the path in JavaScript.
      const real = realpathSync.native(path);
      return new OpenFolder(openSync(real, folderFlags), real);
    },
    openFolder: (at, name) =>
      inside(at, name, (path) => new OpenFolder(openSync(path, folderFlags), joined(at, name), opened(at))),
    makeFolder: (at, name) => inside(at, name, (path) => mkdirSync(path)),
    removeFolder: (at, name) => inside(at, name, (path) => rmdirSync(path)),
    list: (at) => {
      descriptor(at);
      return readdirSync(reach(opened(at))).sort();
    },

    pathOf: (at) => opened(at).path,

    stat: (at, name) =>
      inside(at, name, (path) => {
        const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
        return stats && statFrom(stats);
      }),
    statOf: (handle) => statFrom(fstatSync(descriptor(handle), { bigint: true })),

    targetOf: (at, name) => inside(at, name, (path) => readlinkSync(path)),

    open: (at, name, how) => inside(at, name, (path) => new OpenFile(openSync(path, fileFlags[how], 0o600))),
    read: (file, offset, length) => readFully(descriptor(file), offset, length),
    write: (file, bytes) => writeFully(descriptor(file), bytes),
    truncate: (file, length) => ftruncateSync(descriptor(file), length),
    chmod: (file, mode) => fchmodSync(descriptor(file), mode),
    setModified: (file, atMs) => {
      // A float of seconds can be slightly less than intended, and would be truncated to the millisecond before.
      const seconds = (atMs + 0.001) / 1000;
      futimesSync(descriptor(file), seconds, seconds);
    },

    link: (from, name, to, newName) =>
      inside(from, name, (path) => inside(to, newName, (newPath) => linkSync(path, newPath))),
    rename: (from, name, to, newName) =>
      inside(from, name, (path) => inside(to, newName, (newPath) => renameSync(path, newPath))),
    unlink: (at, name) => inside(at, name, (path) => unlinkSync(path)),

    sync: (handle) => fsyncSync(descriptor(handle)),
    syncAll: (handles) => fsyncAll(handles.map(descriptor)),
    syncData: (file) => fdatasyncOne(descriptor(file)),

    lock: (file) => takeFlock(descriptor(file)),
    lockWithin: async (file, waitMs, signal) => awaitLock({ fd: descriptor(file), waitMs, signal }),
    isLocked: (file) => isLocked(descriptor(file)),
    close: (handle) => {
      const fd = descriptor(handle);
      opened(handle).fd = undefined;
      closeSync(fd);
    },
  };

  /** Runs `work` with the path of `name` in the open folder. An error names the path as a person knows it. */
  function inside<T>(at: LentFolder, name: string, work: (path: string) => T): T {
    assertComponent(name);
    descriptor(at);
    const path = `${reach(opened(at))}/${name}`;
    try {
      return work(path);
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replace(path, () => joined(at, name));
      throw error;
    }
  }
}

export class OpenFolder implements Folder {
  readonly kind = "folder";
  readonly isOwned = true;
  /** `undefined` once closed: the number may belong to another file by then. */
  fd: number | undefined;
  /** The folder's path when it was opened. */
  readonly path: string;
  /** The folder it was opened in; `undefined` for a root. */
  readonly parent: OpenFolder | undefined;

  constructor(fd: number, path: string, parent?: OpenFolder) {
    this.fd = fd;
    this.path = path;
    this.parent = parent;
  }
}

class OpenFile implements File {
  readonly kind = "file";
  fd: number | undefined;

  constructor(fd: number) {
    this.fd = fd;
  }
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * O_NONBLOCK: opening a FIFO without a writer would block forever. O_NOCTTY: a terminal must not become our controlling
 * terminal.
 */
const safeFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const fileFlags = {
  read: safeFlags | constants.O_RDONLY,
  create: safeFlags | constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  append: safeFlags | constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
};

function descriptor(handle: LentFolder | File): number {
  const { fd } = opened(handle);
  assert(fd !== undefined, "the handle is open");
  return fd;
}

function opened(handle: LentFolder): OpenFolder;
function opened(handle: LentFolder | File): OpenFolder | OpenFile;
function opened(handle: LentFolder | File): OpenFolder | OpenFile {
  assert(handle instanceof OpenFolder || handle instanceof OpenFile, "the handle was opened by these files");
  return handle;
}

function joined(at: LentFolder, name: string): string {
  const { path } = opened(at);
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

function assertComponent(name: string): void {
  assert(
    name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.includes("\0"),
    `${JSON.stringify(name)} is one component of a path`,
  );
}
