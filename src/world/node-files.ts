/**
 * The files of a Linux machine, every call relative to a pinned descriptor.
 *
 * Node has no openat(2), but the kernel resolves `/proc/self/fd/N/name` in the folder that descriptor N has
 * open, whatever has been renamed or swapped above it since. With O_NOFOLLOW on the one component that is left,
 * that is the same promise without a native module. All descriptors are close-on-exec, as Node opens them.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
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
import { assert } from "../std/assert.ts";
import { fsyncAll, readFully, statFrom, writeFully } from "./descriptor.ts";
import type { File, Files, Folder, Stat } from "./files.ts";
import { takeLock } from "./flock.ts";

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** O_NONBLOCK: to open a FIFO nobody writes to would otherwise wait for ever. O_NOCTTY: nor shall a terminal become ours. */
const fileFlags = {
  read: constants.O_RDONLY,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
};
const alwaysFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

export function nodeFiles(): Files {
  return {
    openRoot: (path) => {
      const real = realpathSync(path);
      return new NodeFolder(openSync(real, folderFlags), real);
    },
    openFolder: (at, name) =>
      named(at, name, (path) => new NodeFolder(openSync(path, folderFlags), shownPath(at, name))),
    makeFolder: (at, name) => named(at, name, (path) => mkdirSync(path)),
    removeFolder: (at, name) => named(at, name, (path) => rmdirSync(path)),
    list: (at) => readdirSync(`/proc/self/fd/${descriptor(at)}`).sort(),

    pathOf: (at) => {
      assert(at instanceof NodeFolder, "the folder was opened by these files");
      return at.path;
    },

    stat: (at, name) =>
      named(at, name, (path): Stat | undefined => {
        const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
        return stats && statFrom(stats);
      }),
    statOf: (handle) => statFrom(fstatSync(descriptor(handle), { bigint: true })),

    targetOf: (at, name) => named(at, name, (path) => readlinkSync(path)),

    open: (at, name, how) =>
      named(at, name, (path) => new NodeFile(openSync(path, fileFlags[how] | alwaysFlags, 0o600))),
    read: (file, offset, length) => readFully(descriptor(file), offset, length),
    write: (file, bytes) => writeFully(descriptor(file), bytes),
    truncate: (file, length) => ftruncateSync(descriptor(file), length),
    chmod: (file, mode) => fchmodSync(descriptor(file), mode),

    link: (from, name, to, newName) =>
      named(from, name, (path) => named(to, newName, (newPath) => linkSync(path, newPath))),
    rename: (from, name, to, newName) =>
      named(from, name, (path) => named(to, newName, (newPath) => renameSync(path, newPath))),
    unlink: (at, name) => named(at, name, (path) => unlinkSync(path)),

    sync: (handle) => fsyncSync(descriptor(handle)),
    syncAll: (handles) => fsyncAll(handles.map(descriptor)),

    lock: (file) => takeLock(descriptor(file)),
    close: (handle) => {
      const fd = descriptor(handle);
      (handle as NodeFolder | NodeFile).fd = undefined;
      closeSync(fd);
    },
  };
}

class NodeFolder implements Folder {
  readonly kind = "folder";
  /** Nothing once closed: the number may by then belong to another file. */
  fd: number | undefined;
  /** Where it was when it was opened: for messages only. */
  readonly path: string;

  constructor(fd: number, path: string) {
    this.fd = fd;
    this.path = path;
  }
}

class NodeFile implements File {
  readonly kind = "file";
  fd: number | undefined;

  constructor(fd: number) {
    this.fd = fd;
  }
}

function descriptor(handle: Folder | File): number {
  assert(handle instanceof NodeFolder || handle instanceof NodeFile, "the handle was opened by these files");
  assert(handle.fd !== undefined, "the handle is open");
  return handle.fd;
}

/** Does `work` with the path of `name` in the open folder; a failure names the path as a person knows it. */
function named<T>(at: Folder, name: string, work: (path: string) => T): T {
  assertComponent(name);
  const path = `/proc/self/fd/${descriptor(at)}/${name}`;
  try {
    return work(path);
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(path, () => shownPath(at, name));
    throw error;
  }
}

function shownPath(at: Folder, name: string): string {
  assert(at instanceof NodeFolder, "the folder was opened by these files");
  return at.path === "/" ? `/${name}` : `${at.path}/${name}`;
}

function assertComponent(name: string): void {
  assert(
    name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.includes("\0"),
    `${JSON.stringify(name)} is one component of a path`,
  );
}
