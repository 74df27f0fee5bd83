/** The port to private temporary folders. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolders {
  make(): { readonly path: string; remove(): void };
}

export const nodeTemporaryFolders: TemporaryFolders = {
  make() {
    const path = realpathSync(mkdtempSync(join(tmpdir(), "cox-")));
    return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
  },
};
