/**
 * Everything a changeset consists of, written down before it begins. With the manifest, the stage and the files as they
 * are, any later process can finish the changeset or undo it.
 */
import type { Change } from "../change/change.ts";
import type { TreePath } from "../change/path.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { About } from "./proposal.ts";

export interface Manifest {
  readonly v: 1;
  readonly id: string;
  readonly at: string;
  readonly about: About;
  /** Folders to create, parents before children. */
  readonly folders: readonly string[];
  /** Folders to remove if they end up empty, children before parents. */
  readonly emptied: readonly string[];
  readonly entries: readonly ManifestEntry[];
}

/** One file; its position in the list names its images in the stage. */
export interface ManifestEntry extends Change {
  readonly path: TreePath;
  /** Where its image before begins in the stage's `before` file. */
  readonly offset?: number;
}

export function encodeManifest(manifest: Manifest): Uint8Array {
  return encodeUtf8(`${JSON.stringify(manifest)}\n`);
}

/** Only for bytes whose hash the ledger has confirmed: we wrote them ourselves, so they are not validated. */
export function decodeManifest(bytes: Uint8Array): Manifest {
  return JSON.parse(decodeUtf8(bytes)) as Manifest;
}
