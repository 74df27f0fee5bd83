/**
 * Fresh folders for every contestant and round, all of them removed at the end and not before: ext4 is many
 * times slower at making files right after others were deleted, and that would fall on whoever comes next.
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
