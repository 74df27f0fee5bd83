/**
 * Files that programs inside a turn leave for us in its scratch folder. Links are never followed, and reads are limited.
 */
import { decodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { File, Files, Folder } from "../../world/files/files.ts";

export interface ScratchFile {
  readonly folder: string;
  readonly name: string;
}

/** Returns an empty text if the agent made the file unusable; that is no reason to fail. */
export function readScratchFile(files: Files, where: ScratchFile, bytesMax: number): string {
  try {
    return within(files, where, (folder) => {
      if (files.stat(folder, where.name)?.kind !== "file") return "";
      return closing(files, files.open(folder, where.name, "read"), (file) => {
        const { size } = files.statOf(file);
        return decodeUtf8(files.read(file, 0, Math.min(size, bytesMax)));
      });
    });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}

export function addToScratchFile(files: Files, where: ScratchFile, bytes: Uint8Array): void {
  within(files, where, (folder) =>
    closing(files, files.open(folder, where.name, "append"), (file) => files.write(file, bytes)),
  );
}

function within<T>(files: Files, { folder }: ScratchFile, use: (opened: Folder) => T): T {
  return closing(files, files.openRoot(folder), use);
}

function closing<Handle extends Folder | File, T>(
  files: Files,
  handle: Handle,
  use: (handle: Handle) => T,
): T {
  try {
    return use(handle);
  } finally {
    files.close(handle);
  }
}
