/**
 * What is to become of one path: the only form in which a change reaches policy, changeset and git.
 *
 * A model's operations are compiled to it, an agent's own work at its desk is captured as it, so one policy
 * judges both. Contents travel beside the changes, by their hash.
 */
import type { TreePath } from "./path.ts";

export interface Change {
  readonly path: TreePath;
  /** What must be there for the change to be made; nothing means that nothing may be there. */
  readonly pre?: Image;
  /** What will be there afterwards; nothing means that it is removed. */
  readonly post?: Image;
}

/** A regular file as far as we care: its bytes by their hash, its size, its permission bits. */
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

export function sameImage(one: Image | undefined, other: Image | undefined): boolean {
  if (!one || !other) return one === other;
  return one.sha256 === other.sha256 && one.mode === other.mode;
}
