/**
 * The files port on top of a `ModelDisk`: the semantics of Linux with the durability of the model.
 *
 * Every call first runs the disk's hook, so that a test can end the process or make the call fail at that point.
 */
import { assert } from "../../src/std/assert.ts";
import type { File, Files, Folder, LentFolder, Stat } from "../../src/world/files/files.ts";
import { type Inode, rootInode } from "./effect.ts";
import { Crash, errno, TornWrite } from "./faults.ts";
import type { ModelDisk } from "./model-disk.ts";
import { Random } from "./random.ts";

export function modelFiles(disk: ModelDisk): Files {
  return {
    openRoot: (path) => {
      disk.announceLook("openRoot", path);
      const inode = followed(disk, path);
      if (disk.node(inode).kind !== "folder") throw errno("ENOTDIR", path);
      return new ModelFolder(disk, inode);
    },
    openFolder: (at, name) => {
      const place = placeOf(at, name);
      disk.announceLook("openFolder", name);
      const inode = existing(place);
      if (disk.node(inode).kind !== "folder") throw errno("ENOTDIR", name);
      return new ModelFolder(disk, inode);
    },
    makeFolder: (at, name) => {
      const place = placeOf(at, name);
      disk.announce("makeFolder", name);
      assertFree(place);
      disk.add({ kind: "name", on: place.folder, name, to: disk.newFolder() });
    },
    removeFolder: (at, name) => {
      const place = placeOf(at, name);
      disk.announce("removeFolder", name);
      const inode = existing(place);
      const node = disk.node(inode);
      if (node.kind !== "folder") throw errno("ENOTDIR", name);
      if (node.names.size > 0) throw errno("ENOTEMPTY", name);
      disk.add({ kind: "name", on: place.folder, name, to: undefined });
      disk.markRemoved(inode);
    },
    list: (at) => {
      const inode = inodeOf(at);
      disk.announceLook("list", "");
      return [...disk.folder(inode).names.keys()].sort();
    },

    pathOf: () => "/",

    stat: (at, name) => {
      const { folder } = placeOf(at, name);
      disk.announceLook("stat", name);
      const inode = disk.folder(folder).names.get(name);
      return inode === undefined ? undefined : statOf(disk, inode);
    },
    statOf: (handle) => {
      const inode = inodeOf(handle);
      disk.announceLook("statOf", "");
      return statOf(disk, inode);
    },

    targetOf: (at, name) => {
      const node = disk.node(existing(placeOf(at, name)));
      if (node.kind !== "link") throw errno("EINVAL", name);
      return node.target;
    },

    open: (at, name, how) => {
      const place = placeOf(at, name);
      if (how === "read") disk.announceLook("open", name);
      else disk.announce("open", name);
      if (how === "create") assertFree(place);
      const there = how === "append" ? disk.folder(place.folder).names.get(name) : undefined;
      const inode = how === "read" ? existing(place) : (there ?? created(place));
      const { kind } = disk.node(inode);
      if (kind === "link") throw errno("ELOOP", name);
      if (kind === "folder" && how !== "read") throw errno("EISDIR", name);
      return new ModelFile(disk, inode, how !== "read");
    },
    read: (file, offset, length) => {
      const inode = inodeOf(file);
      disk.announceLook("read", "");
      const node = disk.node(inode);
      if (node.kind !== "file") throw errno("EISDIR", "read");
      return node.bytes.slice(offset, offset + length);
    },
    write: (file, bytes) => {
      const inode = inodeOf(file);
      const failure = announcedWrite(disk, bytes.length);
      if (bytes.length === 0 && !failure) return;
      if (!(file as ModelFile).writable) throw errno("EBADF", "write");
      const node = disk.node(inode);
      assert(node.kind === "file", "only a file is opened for writing");
      const kept = bytes.slice(0, failure?.kept);
      if (kept.length > 0) disk.add({ kind: "write", on: inode, offset: node.bytes.length, bytes: kept });
      if (failure?.failure instanceof Crash) disk.die(failure.failure);
      if (failure) throw failure.failure;
    },
    truncate: (file, length) => {
      const inode = inodeOf(file);
      disk.announce("truncate", "");
      if (!(file as ModelFile).writable) throw errno("EINVAL", "truncate");
      disk.add({ kind: "truncate", on: inode, length });
    },
    chmod: (file, mode) => {
      const inode = inodeOf(file);
      disk.announce("chmod", "");
      disk.add({ kind: "mode", on: inode, mode });
    },

    setModified: (file, atMs) => {
      const inode = inodeOf(file);
      disk.announce("setModified", "");
      disk.setModified(inode, BigInt(atMs) * 1_000_000n);
    },

    link: (from, name, to, newName) => {
      const source = placeOf(from, name);
      const target = placeOf(to, newName);
      disk.announce("link", `${name} -> ${newName}`);
      const inode = existing(source);
      assertFree(target);
      if (disk.node(inode).kind === "folder") throw errno("EPERM", name);
      disk.add({ kind: "name", on: target.folder, name: newName, to: inode });
    },
    rename: (from, name, to, newName) => {
      const source = placeOf(from, name);
      const target = placeOf(to, newName);
      disk.announce("rename", `${name} -> ${newName}`);
      const inode = existing(source);
      const replaced = disk.folder(target.folder).names.get(newName);
      assertAlive(target);
      if (isWithin(disk, target.folder, inode)) throw errno("EINVAL", newName);
      if (replaced === inode) return;
      if (replaced !== undefined) assertReplaceable(disk, { inode, replaced, source: source.folder });
      disk.addRename(source, target, inode);
      if (replaced !== undefined && disk.node(replaced).kind === "folder") disk.markRemoved(replaced);
    },
    unlink: (at, name) => {
      const place = placeOf(at, name);
      disk.announce("unlink", name);
      if (disk.node(existing(place)).kind === "folder") throw errno("EISDIR", name);
      disk.add({ kind: "name", on: place.folder, name, to: undefined });
    },

    sync: (handle) => syncOne(disk, inodeOf(handle)),
    syncAll: async (handles) => {
      const inodes = handles.map(inodeOf);
      const failures: unknown[] = [];
      for (const inode of new Random(disk.syncSeed++).shuffled(inodes)) {
        try {
          syncOne(disk, inode);
        } catch (error) {
          if (error instanceof Crash) throw error;
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },

    syncData: async (file) => {
      const inode = inodeOf(file);
      // A caller that does not await this continues before it has happened.
      for (let turn = 0; turn < 3; turn++) await undefined;
      syncOne(disk, inode);
    },

    lock: (file) => {
      const inode = inodeOf(file);
      disk.announceLook("lock", "");
      const holder = disk.locks.get(inode);
      if (!holder) disk.locks.set(inode, file);
      return !holder || holder === file;
    },
    lockWithin: async (file, waitMs, signal) => {
      const inode = inodeOf(file);
      disk.announceLook("lock", "");
      signal?.throwIfAborted();
      const holder = disk.locks.get(inode);
      if (holder && holder !== file) return waitMs > 0 && disk.waitForLock({ inode, file, waitMs, signal });
      disk.locks.set(inode, file);
      return true;
    },
    isLocked: (file) => {
      disk.announceLook("lock", "");
      return disk.locks.has(inodeOf(file));
    },
    close: (handle) => {
      const inode = inodeOf(handle);
      if (disk.locks.get(inode) === handle) disk.freeLock(inode);
      (handle as ModelFolder | ModelFile).inode = undefined;
      disk.handles--;
    },
  };

  function placeOf(at: LentFolder, name: string): Place {
    assert(
      name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.includes("\0"),
      `${JSON.stringify(name)} is one component of a path`,
    );
    return { disk, folder: inodeOf(at), name };
  }

  function inodeOf(handle: LentFolder | File): Inode {
    assert(handle instanceof ModelFolder || handle instanceof ModelFile, "the handle is the model's");
    assert(handle.disk === disk, "the handle was opened on this disk, not before its crash");
    assert(handle.inode !== undefined, "the handle is open");
    return handle.inode;
  }
}

class ModelFolder implements Folder {
  readonly isOwned = true;
  readonly kind = "folder";
  readonly disk: ModelDisk;
  inode: Inode | undefined;

  constructor(disk: ModelDisk, inode: Inode) {
    this.disk = disk;
    this.inode = inode;
    disk.handles++;
  }
}

class ModelFile implements File {
  readonly kind = "file";
  readonly disk: ModelDisk;
  inode: Inode | undefined;
  readonly writable: boolean;

  constructor(disk: ModelDisk, inode: Inode, writable: boolean) {
    this.disk = disk;
    this.inode = inode;
    this.writable = writable;
    disk.handles++;
  }
}

interface Place {
  readonly disk: ModelDisk;
  readonly folder: Inode;
  readonly name: string;
}

function existing({ disk, folder, name }: Place): Inode {
  const inode = disk.folder(folder).names.get(name);
  if (inode === undefined) throw errno("ENOENT", name);
  return inode;
}

function assertFree(place: Place): void {
  if (place.disk.folder(place.folder).names.has(place.name)) throw errno("EEXIST", place.name);
  assertAlive(place);
}

function assertAlive({ disk, folder, name }: Place): void {
  if (disk.folder(folder).removed) throw errno("ENOENT", name);
}

function created(place: Place): Inode {
  assertAlive(place);
  const inode = place.disk.newFile();
  place.disk.add({ kind: "name", on: place.folder, name: place.name, to: inode });
  return inode;
}

function statOf(disk: ModelDisk, inode: Inode): Stat {
  const node = disk.node(inode);
  return {
    kind: node.kind,
    size: node.kind === "file" ? node.bytes.length : 0,
    mode: node.mode,
    device: 1,
    inode,
    links: disk.links(inode),
    modified: node.modified,
  };
}

/** `undefined` if the write may continue; otherwise how much of it gets through, and what is thrown then. */
function announcedWrite(disk: ModelDisk, size: number): TornWrite | undefined {
  try {
    disk.announce("write", String(size));
    return undefined;
  } catch (error) {
    if (error instanceof TornWrite) return error;
    throw error;
  }
}

function syncOne(disk: ModelDisk, inode: Inode): void {
  try {
    disk.announce("sync", "");
  } catch (error) {
    if (!(error instanceof Crash)) disk.failSync(inode);
    throw error;
  }
  disk.sync(inode);
}

/** Whether `inner` is `outer` or somewhere below it. */
function isWithin(disk: ModelDisk, inner: Inode, outer: Inode): boolean {
  if (inner === outer) return true;
  const node = disk.node(outer);
  return node.kind === "folder" && [...node.names.values()].some((below) => isWithin(disk, inner, below));
}

function assertReplaceable(
  disk: ModelDisk,
  { inode, replaced, source }: { inode: Inode; replaced: Inode; source: Inode },
): void {
  const old = disk.node(replaced);
  // Linux checks this first: the renamed item is inside the one it would replace.
  if (isWithin(disk, source, replaced)) throw errno("ENOTEMPTY", "rename");
  if (disk.node(inode).kind !== "folder") {
    if (old.kind === "folder") throw errno("EISDIR", "rename");
    return;
  }
  if (old.kind !== "folder") throw errno("ENOTDIR", "rename");
  if (old.names.size > 0) throw errno("ENOTEMPTY", "rename");
}

/** The only place where links are followed: the path to a root. */
function followed(disk: ModelDisk, path: string, depth = 0): Inode {
  if (depth > 40) throw errno("ELOOP", path);
  let inode = rootInode;
  let walked = "";
  for (const name of path.split("/").filter((part) => part !== "")) {
    const folder = disk.node(inode);
    if (folder.kind !== "folder") throw errno("ENOTDIR", path);
    inode = existing({ disk, folder: inode, name });
    const node = disk.node(inode);
    if (node.kind === "link") {
      inode = followed(
        disk,
        node.target.startsWith("/") ? node.target : `${walked}/${node.target}`,
        depth + 1,
      );
    }
    walked = `${walked}/${name}`;
  }
  return inode;
}
