/**
 * What happens to one path. Policy, changeset and git see changes in this form only.
 *
 * A model's operations are compiled to it, and an agent's work at its desk is captured as it, so one policy judges
 * both. File contents travel separately, keyed by hash.
 */
import type { TreePath } from "./path.ts";

export interface Change {
  readonly path: TreePath;
  /** What must be there before the change; undefined means that the path must be free. */
  readonly pre?: Image;
  /** What will be there afterwards; undefined means that the file is removed. */
  readonly post?: Image;
}

/** A regular file as far as we care: the hash of its bytes, its size, its permission bits. */
export interface Image {
  readonly sha256: Sha256;
  readonly size: number;
  readonly mode: number;
}

/** Lower-case hexadecimal. */
export type Sha256 = string & { readonly brand: "Sha256" };

/** The bytes behind the images, pre and post. */
export type Contents = ReadonlyMap<Sha256, Uint8Array>;

export const defaultMode = 0o644;

/** The owner may not write it. */
export function isReadOnlyMode({ mode }: Image): boolean {
  return (mode & 0o200) === 0;
}

export function sameImage(one: Image | undefined, other: Image | undefined): boolean {
  if (!one || !other) return one === other;
  return one.sha256 === other.sha256 && one.mode === other.mode;
}
