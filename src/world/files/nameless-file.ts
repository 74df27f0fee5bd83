/** A file for a started program to read through an open descriptor. It has no name, so nobody needs to remove it. */
import { randomUUID } from "node:crypto";
import { constants, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a descriptor that the caller must close. */
export function namelessFile(content: Uint8Array | string): number {
  const path = join(tmpdir(), `cox-${randomUUID()}`);
  try {
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
    return openSync(path, constants.O_RDONLY);
  } finally {
    removeQuietly(path);
  }
}

/** If creating the file failed, there is nothing to remove, and that error is already being thrown. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}
