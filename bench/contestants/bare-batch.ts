/**
 * The least that makes many files durable, each of them atomically: all to temporary names, all synced with the
 * parallelism that the executor has, all renamed, all folders synced.
 *
 * No lock, no record, no look at what is there, nothing kept for taking it back, nothing read back; and a crash
 * in the middle leaves some files new, some old, some temporary.
 */
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fsyncAll } from "../../src/world/descriptor.ts";
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
