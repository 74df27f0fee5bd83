/** What is at a path now, held against what could be there; the file stays open so that it can be watched. */
import type { Image } from "../change/change.ts";
import { counted } from "../std/counted.ts";
import type { File, Stat } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import { type Tree, TreeError } from "../world/tree.ts";

export interface Look {
  /** The candidate that is there, "nothing", or "other" for what is none of them. */
  readonly is: Image | "nothing" | "other";
  /** The hash, or a word on why there is none. */
  readonly found?: string;
  readonly bytes?: Uint8Array;
  readonly opened?: { readonly file: File; readonly stat: Stat };
}

/** The caller closes `opened`. A file of another size is not even read. */
export function lookAt(tree: Tree, path: string, candidates: readonly (Image | undefined)[]): Look {
  let opened: { file: File; stat: Stat } | undefined;
  try {
    // Where nothing might be, asking is cheaper than failing to open; where a file should be, opening is.
    opened = candidates.includes(undefined) ? tree.open(path) : tree.openAgain(path);
  } catch (error) {
    if (error instanceof TreeError && error.code !== "ROOT_GONE") return { is: "other", found: error.code };
    throw error;
  }
  if (!opened) return { is: "nothing" };
  const { size, mode } = opened.stat;
  if (!candidates.some((image) => image?.size === size))
    return { is: "other", found: counted(size, "byte"), opened };
  // One byte more than promised: a file that grows meanwhile is noticed.
  const bytes = tree.files.read(opened.file, 0, size + 1);
  const hash = sha256(bytes);
  const is = candidates.find((image) => image?.sha256 === hash && image.mode === mode);
  return { is: is ?? "other", found: hash, bytes, opened };
}

/** Whether exactly this is at the path now: nothing, or this image. */
export function isAt(tree: Tree, path: string, image: Image | undefined): boolean {
  const look = lookAt(tree, path, [image]);
  if (look.opened) tree.files.close(look.opened.file);
  return isThere(look, image);
}

export function isThere(look: Look, image: Image | undefined): boolean {
  return look.is === (image ?? "nothing");
}
