/**
 * What the compiler needs to know about the existing tree. Calls are synchronous, so an implementation has either
 * walked the paths already or walks them synchronously.
 */
import type { Problem } from "../std/problem.ts";
import type { Image } from "./change.ts";
import type { TreePath } from "./path.ts";

export interface Disk {
  look(path: TreePath): DiskEntry;
  /** Names in a folder ("" is the root); empty when the folder does not exist. */
  names(folder: string): readonly string[];
  /** True when the folder (not the root) holds a `.git` of its own: another repository. */
  isRepository(folder: string): boolean;
}

export type DiskEntry =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly image: Image; readonly bytes: Uint8Array }
  /**
   * Whatever the walk found instead of a readable file: a link, a folder, a device, a file without read permission …
   */
  | { readonly kind: "problem"; readonly problem: Problem };
