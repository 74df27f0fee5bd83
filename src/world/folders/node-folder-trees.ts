/** Whole folders, using Node's calls. Paths are passed to the system byte for byte. */

import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { type BytePath, joinBytePath, rawBytePath } from "../files/byte-path.ts";
import { errnoOf } from "../files/errno.ts";
import { spawn } from "../processes/spawn.ts";
import { systemProgram } from "../sandbox/sandbox.ts";
import type { FolderTrees, TreeEntry } from "./folder-trees.ts";

export const nodeFolderTrees: FolderTrees = {
  list,
  look,
  mark,
  targetOf: (path) => rawBytePath(readlinkSync(raw(path), "latin1")),
  read: (path) => readFileSync(raw(path)),
  makeFolder: (path) => void mkdirSync(raw(path), { recursive: true }),
  write(path, bytes) {
    const temporary = rawBytePath(`${path}.${process.pid}.new`);
    writeFileSync(raw(temporary), bytes);
    renameSync(raw(temporary), raw(path));
  },
  rename: (from, to) => renameSync(raw(from), raw(to)),
  unlock,
  remove,
  syncFolder(path) {
    const folder = openSync(raw(path), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  },
};

function raw(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

function list(path: BytePath): TreeEntry[] {
  try {
    return entriesIn(path);
  } catch (error) {
    if (errnoOf(error) !== "EACCES" || look(path)?.kind !== "folder") throw error;
    unlock(path);
    return entriesIn(path);
  }
}

function entriesIn(path: BytePath): TreeEntry[] {
  const names = readdirSync(raw(path), "latin1").sort().map(rawBytePath);
  return names.flatMap((name) => {
    const stat = lstatSync(raw(joinBytePath(path, name)), { throwIfNoEntry: false });
    return stat ? [entryOf(name, stat)] : [];
  });
}

function look(path: BytePath): TreeEntry | undefined {
  try {
    const stat = lstatSync(raw(path), { throwIfNoEntry: false });
    return stat && entryOf(rawBytePath(path.slice(path.lastIndexOf("/") + 1)), stat);
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function mark(path: BytePath): string | undefined {
  try {
    const stat = lstatSync(raw(path), { throwIfNoEntry: false, bigint: true });
    return stat && [stat.mode, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ");
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function entryOf(name: BytePath, stat: Stats): TreeEntry {
  return { name, kind: kindOf(stat), size: stat.size, mode: stat.mode & 0o7777 };
}

function kindOf(stat: Stats): TreeEntry["kind"] {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "folder";
  return stat.isSymbolicLink() ? "link" : "other";
}

async function remove(path: BytePath): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(raw(path), options);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENAMETOOLONG") return removeByProgram(path);
    if (errno !== "EACCES" && errno !== "EPERM") throw error;
    unlockBelow(path);
    await rm(raw(path), options);
  }
}

/** A program that changes into each folder can reach deeper than the longest path. `rm` does that; Node does not. */
async function removeByProgram(path: BytePath): Promise<void> {
  const program = systemProgram("rm");
  if (program === undefined) return;
  // A path that is not UTF-8 cannot be passed as an argument.
  const running = spawn(program, ["-rf", "--", raw(path).toString("utf8")], { stdio: "ignore" });
  await new Promise((resolve) => running.once("close", resolve).once("error", resolve));
}

function unlock(path: BytePath): void {
  const stat = lstatSync(raw(path));
  if (stat.isSymbolicLink()) return;
  chmodSync(raw(path), (stat.mode & 0o7777) | (stat.isDirectory() ? 0o700 : 0o600));
}

/** A folder without write permission keeps its entries; one without read permission hides them. */
function unlockBelow(path: BytePath): void {
  if (look(path)?.kind !== "folder") return;
  unlock(path);
  for (const { name, kind } of list(path)) {
    if (kind === "folder") unlockBelow(joinBytePath(path, name));
  }
}
