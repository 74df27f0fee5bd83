/**
 * Replaces a small file in one step: a reader, even after a crash, finds either the old file or the new one, whole.
 *
 * Until the folder is synced, a power cut may leave either of the two. Syncing it is left to the caller, who often does
 * not care.
 */
import { errnoOf } from "../world/files/errno.ts";
import type { File, Files, LentFolder } from "../world/files/files.ts";

export interface ReplaceFileOptions {
  readonly files: Files;
  readonly folder: LentFolder;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function replaceFile(replacement: ReplaceFileOptions): Promise<void> {
  const { files } = replacement;
  const file = stage(replacement);
  try {
    await files.syncData(file);
  } finally {
    files.close(file);
  }
  put(replacement);
}

/** Does not wait for the disk: after a power cut the file may be empty, which its readers must tolerate. */
export function replaceFileUnsynced(replacement: ReplaceFileOptions): void {
  replacement.files.close(stage(replacement));
  put(replacement);
}

/** `mayReplace` is called last; if it says no, the result is false and nothing has changed. */
export function replaceFileNow(replacement: ReplaceFileOptions, mayReplace = () => true): boolean {
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

function stage({ files, folder, name, bytes }: ReplaceFileOptions): File {
  const file = created(files, folder, stagedName(name));
  try {
    files.write(file, bytes);
    return file;
  } catch (error) {
    files.close(file);
    throw error;
  }
}

/** Removes a half-written file that a crash left under this name. */
function created(files: Files, folder: LentFolder, name: string): File {
  try {
    return files.open(folder, name, "create");
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    files.unlink(folder, name);
    return files.open(folder, name, "create");
  }
}

function put({ files, folder, name }: ReplaceFileOptions): void {
  files.rename(folder, stagedName(name), folder, name);
}

/** The file's name while it is being written, and after a crash in between. */
export function stagedName(name: string): string {
  return `${name}.new`;
}
