/** Files that programs inside a turn leave in its scratch folder for us: links are never followed, and only so much is read. */
import { decodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Files, Folder } from "../world/files.ts";

export interface ScratchFile {
  readonly folder: string;
  readonly name: string;
}

/** Whatever an agent made of the file, there is nothing to fail for: then there is no text. */
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
