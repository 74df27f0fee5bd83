/**
 * Reads the files of a stage, and trusts them only after hashing: a stage may lie there long after a crash, and
 * anything may happen to it.
 */
import type { Image } from "../change/change.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { File, Files, LentFolder } from "../world/files/files.ts";
import { sha256 } from "../world/files/hash.ts";
import type { FolderEntry } from "../world/folders/tree.ts";
import type { ManifestEntry } from "./manifest.ts";

/** The file's bytes; undefined unless they are exactly this image. */
export function readStaged(
  files: Files,
  { folder, name }: FolderEntry,
  image: Image,
): Uint8Array | undefined {
  const file = openRegular(files, folder, name);
  if (!file) return undefined;
  try {
    const { size, mode } = files.statOf(file);
    if (size !== image.size || mode !== image.mode) return undefined;
    // Read one byte more than promised, to notice a file that grows meanwhile.
    const bytes = files.read(file, 0, size + 1);
    return sha256(bytes) === image.sha256 ? bytes : undefined;
  } finally {
    files.close(file);
  }
}

/** Reads an image from before out of the file that holds them all; undefined when it is not as it was saved. */
export function readSaved(
  files: Files,
  pack: File | undefined,
  { pre, offset }: Pick<ManifestEntry, "pre" | "offset">,
): Uint8Array | undefined {
  if (!pack || !pre || offset === undefined) return undefined;
  const bytes = files.read(pack, offset, pre.size);
  return sha256(bytes) === pre.sha256 ? bytes : undefined;
}

/** Opens a file of a stage for reading; undefined when there is no regular file. The caller closes it. */
export function openRegular(files: Files, folder: LentFolder, name: string): File | undefined {
  let file: File;
  try {
    file = files.open(folder, name, "read");
  } catch (error) {
    if (notThere.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
  if (files.statOf(file).kind === "file") return file;
  files.close(file);
  return undefined;
}

/** A link, a pipe or a device in its place counts as missing. */
const notThere: ReadonlySet<string> = new Set(["ENOENT", "ELOOP", "ENXIO", "ENOTDIR"]);
