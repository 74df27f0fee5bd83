/** Opens one of our own files, creating it if it is missing, but refuses anything that somebody put in its place. */
import { errnoOf } from "../world/files/errno.ts";
import type { File, Files, Folder, Stat } from "../world/files/files.ts";
import { LogDamaged } from "./log-damaged.ts";

/** Throws STATE_UNSAFE for a link, a folder, a pipe, or a read-only file, even if we could write it (root can). */
export function openSafely(files: Files, folder: Folder, name: string): File {
  const found = files.stat(folder, name);
  if (found) mustBeSafe(found, name);
  try {
    const file = files.open(folder, name, "append");
    try {
      mustBeSafe(files.statOf(file), name);
    } catch (error) {
      files.close(file);
      throw error;
    }
    return file;
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (!unsafe.has(errno)) throw error;
    throw new LogDamaged("STATE_UNSAFE", name, `it cannot be opened to write (${errno})`);
  }
}

function mustBeSafe({ kind, mode }: Stat, name: string): void {
  if (kind !== "file") throw new LogDamaged("STATE_UNSAFE", name, `it is ${kinds[kind]}, not a regular file`);
  if ((mode & 0o200) === 0)
    throw new LogDamaged("STATE_UNSAFE", name, `it is read-only (mode ${mode.toString(8).padStart(4, "0")})`);
}

const kinds = { folder: "a folder", link: "a symbolic link", other: "a pipe, socket or device" } as const;
const unsafe = new Set(["ELOOP", "EISDIR", "ENXIO", "EACCES", "EPERM"]);
