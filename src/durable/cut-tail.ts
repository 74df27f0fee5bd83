/** Cuts a log off behind its last whole append. What is cut is kept aside first, durably: it may be the only trace. */
import { errnoOf } from "../world/errno.ts";
import type { File, Files, Folder } from "../world/files.ts";

export interface Tail {
  readonly files: Files;
  readonly folder: Folder;
  /** The log, open. */
  readonly file: File;
  /** How many bytes stay. */
  readonly whole: number;
  /** What the file for the rest is called; a number is added where there is one already. */
  readonly aside: string;
}

/** Answers with the name under which the rest is kept. The cut itself is not yet durable. */
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

/** A new file with these bytes, durable, under that name or one like it. */
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
