/**
 * What compiling needs to know of the tree that is there. Asked without waiting, so whoever implements it has
 * walked the paths, or walks them synchronously.
 */
import type { Problem } from "../std/problem.ts";
import type { Image } from "./change.ts";
import type { TreePath } from "./path.ts";

export interface Disk {
  look(path: TreePath): Seen;
  /** Names in a folder ("" is the root); empty when the folder is not there. */
  names(folder: string): readonly string[];
  /** True when the folder (not the root) holds a `.git` of its own: another repository. */
  isRepository(folder: string): boolean;
}

export type Seen =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly image: Image; readonly bytes: Uint8Array }
  /** A link, a folder, a device, a file that may not be read …: whatever the walk found instead of a file. */
  | { readonly kind: "problem"; readonly problem: Problem };
