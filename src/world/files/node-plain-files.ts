/** Files as any program reads and writes them, using Node's own calls. */
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import type { FileFacts, PlainFiles } from "./plain-files.ts";

export const nodePlainFiles: PlainFiles = {
  read: (path) => readFileSync(path),
  write(path, bytes, how) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    if (how?.isExecutable) chmodSync(path, statSync(path).mode | 0o111);
  },
  list(path) {
    try {
      return readdirSync(path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw error;
    }
  },
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  look(path) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return { kind: kindOf(stats), stamp: [stats.ino, stats.size, stats.mtimeMs].join(" ") };
  },
  move(from, to) {
    try {
      renameSync(from, to);
    } catch (error) {
      if (errnoOf(error) !== "EXDEV") throw error;
      copyOver(from, to);
      rmSync(from, { recursive: true, force: true });
    }
  },
  link(path, target) {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};

/** Copies beside the target and then renames, so that the target is whole before and after. */
function copyOver(from: string, to: string): void {
  const beside = `${to}.${process.pid}.tmp`;
  try {
    cpSync(from, beside, { recursive: true, verbatimSymlinks: true });
    renameSync(beside, to);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

function kindOf(stats: Stats): FileFacts["kind"] {
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "file";
}
