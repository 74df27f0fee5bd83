/** A file for a program to read: open when it is started, and without a name that somebody would have to remove. */
import { randomUUID } from "node:crypto";
import { constants, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A descriptor, for the caller to close. */
export function namelessFile(content: Uint8Array | string): number {
  const path = join(tmpdir(), `cox-${randomUUID()}`);
  try {
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
    return openSync(path, constants.O_RDONLY);
  } finally {
    removeQuietly(path);
  }
}

/** What could not be made is not there, and that was told already. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}
