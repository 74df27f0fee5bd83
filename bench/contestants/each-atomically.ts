/**
 * npm's write-file-atomic as it is, several files at a time: each file is durable before it is renamed, but the rename
 * itself is not, because the folder is never synced.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { FileSet } from "../file-set.ts";
import { atOnce } from "./at-once.ts";

export async function writeEachAtomically(
  root: string,
  { files, folders }: FileSet,
  atATime: number,
): Promise<void> {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  await atOnce(atATime, files, ({ path, bytes }) =>
    writeFileAtomic(join(root, path), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  );
}
