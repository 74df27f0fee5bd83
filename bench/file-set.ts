/** The files that all contestants write: generated text, the same bytes for each of them. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert } from "../src/std/assert.ts";

export interface FileSet {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly folders: readonly string[];
}

export interface Size {
  readonly count: number;
  readonly bytes: number;
  readonly folders: number;
  /** Sets with different salts share no file. */
  readonly salt: string;
}

export function fileSet({ count, bytes, folders, salt }: Size): FileSet {
  const files = Array.from({ length: count }, (_, number) => ({
    path: `src/part-${number % folders}/file-${number}.txt`,
    bytes: text(bytes, `${salt} ${number}`),
  }));
  return { files, folders: ["src", ...new Set(files.map(({ path }) => dirname(path)))] };
}

/** Lines of 64 hexadecimal digits, each derived from the one before: nothing that a file system could compress. */
function text(bytes: number, seed: string): Uint8Array {
  const filled = Buffer.alloc(bytes, "\n");
  let line = createHash("sha256").update(seed).digest("hex");
  for (let offset = 0; offset < bytes - 1; offset += 65) {
    filled.write(line, offset, Math.min(64, bytes - 1 - offset), "latin1");
    // One hash per block of lines is enough, and keeps the setup of 50 MB short.
    line = offset % 65_000 === 0 ? createHash("sha256").update(line).digest("hex") : line.slice(1) + line[0];
  }
  return filled;
}

export function makeFolders(root: string, set: FileSet): void {
  for (const folder of set.folders) mkdirSync(join(root, folder));
}

/** A contestant that did not do the work cannot win. */
export function assertWritten(root: string, set: FileSet): void {
  for (const { path, bytes } of set.files)
    assert(readFileSync(join(root, path)).equals(bytes), `${path} was written`);
}
