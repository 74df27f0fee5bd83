/**
 * Replaces a small file in one step: a reader, also after a crash, finds the old one or the new one, whole.
 *
 * Which of the two a power cut leaves is open until the folder is synced: that is left to the caller, who often does not
 * care.
 */
import { errnoOf } from "../world/errno.ts";
import type { File, Files, Folder } from "../world/files.ts";

export interface Replacement {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function replaceFile(replacement: Replacement): Promise<void> {
  const { files } = replacement;
  const file = stage(replacement);
  try {
    await files.syncData(file);
  } finally {
    files.close(file);
  }
  put(replacement);
}

/** `mayReplace` is asked last of all; false when it said no, and then all is as it was. */
export function replaceFileNow(replacement: Replacement, mayReplace = () => true): boolean {
  const { files, folder, name } = replacement;
  const file = stage(replacement);
  try {
    files.sync(file);
  } finally {
    files.close(file);
  }
  if (!mayReplace()) {
    files.unlink(folder, stagedName(name));
    return false;
  }
  put(replacement);
  return true;
}

function stage({ files, folder, name, bytes }: Replacement): File {
  const file = created(files, folder, stagedName(name));
  try {
    files.write(file, bytes);
    return file;
  } catch (error) {
    files.close(file);
    throw error;
  }
}

/** One that a crash left half written is in the way. */
function created(files: Files, folder: Folder, name: string): File {
  try {
    return files.open(folder, name, "create");
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    files.unlink(folder, name);
    return files.open(folder, name, "create");
  }
}

function put({ files, folder, name }: Replacement): void {
  files.rename(folder, stagedName(name), folder, name);
}

function stagedName(name: string): string {
  return `${name}.new`;
}
