/**
 * A small file replaced as a whole: whoever reads it finds the old bytes or the new ones, also after a power cut. It
 * is for us alone (0600). One writer at a time: the caller holds a lock.
 */
import { errnoOf } from "../world/errno.ts";
import type { Files, Folder } from "../world/files.ts";

export interface Replacement {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Asked last, before the new file takes the old one's place. */
  readonly mayReplace?: () => boolean;
}

/** False when it may not be replaced any more; then all is as it was. */
export function replaceFile({ files, folder, name, bytes, mayReplace }: Replacement): boolean {
  const fresh = `${name}.new`;
  // Left by a writer that was killed before it was done.
  removeIfThere(files, folder, fresh);
  const file = files.open(folder, fresh, "create");
  try {
    files.write(file, bytes);
    files.sync(file);
  } finally {
    files.close(file);
  }
  if (mayReplace?.() === false) {
    removeIfThere(files, folder, fresh);
    return false;
  }
  files.rename(folder, fresh, folder, name);
  files.sync(folder);
  return true;
}

function removeIfThere(files: Files, folder: Folder, name: string): void {
  try {
    files.unlink(folder, name);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
