/**
 * Truncates a log after its last whole append. What is cut is first saved durably in another file: it may be the only
 * trace.
 */
import { errnoOf } from "../world/files/errno.ts";
import type { File, Files, Folder } from "../world/files/files.ts";

export interface Tail {
  readonly files: Files;
  readonly folder: Folder;
  /** The open log. */
  readonly file: File;
  /** How many bytes remain. */
  readonly whole: number;
  /** Name of the file for the cut part; a number is added if the name is taken. */
  readonly aside: string;
}

/** Returns the name under which the cut part is saved. The truncation itself is not yet durable. */
export function cutTail({ files, folder, file, whole, aside }: Tail): string {
  const { size } = files.statOf(file);
  const name = keepAside({ files, folder, name: aside, bytes: files.read(file, whole, size - whole) });
  files.truncate(file, whole);
  return name;
}

interface Kept {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Writes these bytes durably to a new file, under that name or that name with a number. */
export function keepAside({ files, folder, name, bytes }: Kept): string {
  const made = newFile(files, folder, name);
  try {
    files.write(made.file, bytes);
    files.sync(made.file);
  } finally {
    files.close(made.file);
  }
  files.sync(folder);
  return made.name;
}

function newFile(files: Files, folder: Folder, wanted: string): { file: File; name: string } {
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? wanted : `${wanted}-${copy}`;
    try {
      return { file: files.open(folder, name, "create"), name };
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}
