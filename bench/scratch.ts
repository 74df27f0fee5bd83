/**
 * Fresh folders for every contestant and round, all removed only at the end: ext4 is many times slower at creating
 * files right after others were deleted, and the next contestant would pay for that.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), "cox-bench-"));

  fresh(name: string): string {
    return mkdtempSync(join(this.folder, `${name}-`));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
