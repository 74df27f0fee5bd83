/**
 * Compares what is at a path now with what could be there. The file stays open so that later writes to it are noticed.
 */
import type { Image } from "../change/change.ts";
import { counted } from "../std/counted.ts";
import type { File, Stat } from "../world/files/files.ts";
import { sha256 } from "../world/files/hash.ts";
import type { Tree } from "../world/folders/tree.ts";
import { TreeError } from "../world/folders/tree-error.ts";

export interface FileLook {
  /** The candidate that is there, "nothing", or "other" if none of them matches. */
  readonly is: Image | "nothing" | "other";
  /** The hash, or a word on why there is none. */
  readonly found?: string;
  readonly bytes?: Uint8Array;
  readonly opened?: { readonly file: File; readonly stat: Stat };
}

/** The caller closes `opened`. If no candidate has the file's size, it is not even read. */
export function lookAtFile(tree: Tree, path: string, candidates: readonly (Image | undefined)[]): FileLook {
  let opened: { file: File; stat: Stat } | undefined;
  try {
    // Where there may be no file, checking first is cheaper than failing to open; where one should be, opening is.
    opened = candidates.includes(undefined) ? tree.open(path) : tree.openAgain(path);
  } catch (error) {
    if (error instanceof TreeError && error.code !== "ROOT_GONE") return { is: "other", found: error.code };
    throw error;
  }
  if (!opened) return { is: "nothing" };
  const { size, mode } = opened.stat;
  if (!candidates.some((image) => image?.size === size))
    return { is: "other", found: counted(size, "byte"), opened };
  // Read one byte more than promised, to notice a file that grows meanwhile.
  const bytes = tree.files.read(opened.file, 0, size + 1);
  const hash = sha256(bytes);
  const is = candidates.find((image) => image?.sha256 === hash && image.mode === mode);
  return { is: is ?? "other", found: hash, bytes, opened };
}

/** Whether exactly this image is at the path now, or nothing if it is undefined. */
export function isAt(tree: Tree, path: string, image: Image | undefined): boolean {
  const look = lookAtFile(tree, path, [image]);
  if (look.opened) tree.files.close(look.opened.file);
  return isThere(look, image);
}

export function isThere(look: FileLook, image: Image | undefined): boolean {
  return look.is === (image ?? "nothing");
}
