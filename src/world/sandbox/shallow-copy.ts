/**
 * Makes a program's own copy of a file, or of a folder with its files and links but without the contents of its
 * subfolders.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tolerating } from "../files/errno.ts";
import { isReadable } from "./layer-places.ts";

/** Leaves out larger files, and also sockets and the like: nobody can be reached through a copy. */
export function makeShallowCopy(from: string, to: string, bytesMax: number): void {
  const { mode, isFolder } = kindOf(from);
  if (isFolder) {
    mkdirSync(to, { recursive: true });
    for (const name of isReadable(from) ? readdirSync(from) : [])
      copyEntry(join(from, name), join(to, name), bytesMax);
  } else {
    writeFileSync(to, "");
    copyEntry(from, to, bytesMax);
  }
  chmodSync(to, mode);
}

function kindOf(path: string): { readonly mode: number; readonly isFolder: boolean } {
  const stat = statSync(path);
  return { mode: stat.mode & 0o7777, isFolder: stat.isDirectory() };
}

function copyEntry(from: string, to: string, bytesMax: number): void {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stat?.isDirectory()) mkdirSync(to, { recursive: true });
  else if (stat?.isFile() && stat.size <= bytesMax && isReadable(from))
    tolerating("ENOENT", () => copyFileSync(from, to, constants.COPYFILE_FICLONE));
}
