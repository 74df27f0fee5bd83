/**
 * Everything a changeset is, written down before it is begun: with it, the stage and the files as they stand,
 * any later process can finish the changeset or take it back.
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
  /** Folders that are not there yet, those above before those inside. */
  readonly folders: readonly string[];
  /** Folders that go when they end up empty, those inside before those above. */
  readonly emptied: readonly string[];
  readonly entries: readonly Entry[];
}

/** One file; its number in the list names its images in the stage. */
export interface Entry extends Change {
  readonly path: TreePath;
  /** Where the image of before stands in the stage's `before` file. */
  readonly offset?: number;
}

export function encodeManifest(manifest: Manifest): Uint8Array {
  return encodeUtf8(`${JSON.stringify(manifest)}\n`);
}

/** Only for bytes whose hash the ledger has confirmed: they are our own words. */
export function decodeManifest(bytes: Uint8Array): Manifest {
  return JSON.parse(decodeUtf8(bytes)) as Manifest;
}
