/**
 * The minimum that makes many files durable, each of them atomically: write all to temporary names, sync all with the
 * same parallelism as the executor, rename all, sync all folders.
 *
 * It has no lock and no record, does not check what is there, keeps nothing for an undo, and reads nothing back. A
 * crash in the middle leaves some files new, some old and some temporary.
 */
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fsyncAll } from "../../src/world/files/descriptor.ts";
import type { FileSet } from "../file-set.ts";

const openMax = 256;

export async function writeBareBatch(root: string, { files, folders }: FileSet): Promise<void> {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (let start = 0; start < files.length; start += openMax) {
    const open = files.slice(start, start + openMax).map(({ path, bytes }) => {
      const fd = openSync(`${join(root, path)}.tmp`, "wx");
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
      return fd;
    });
    await fsyncAll(open);
    for (const fd of open) closeSync(fd);
  }
  for (const { path } of files) renameSync(`${join(root, path)}.tmp`, join(root, path));
  const open = ["", ...folders].map((folder) => openSync(join(root, folder), "r"));
  await fsyncAll(open);
  for (const fd of open) closeSync(fd);
}
