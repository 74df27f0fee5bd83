/**
 * A change that only a person may allow, kept beside the turn that wants it: whoever is asked can look at it, also where it
 * was proposed in words and stands nowhere yet. A view for people; what is carried out after a yes is judged anew.
 */
import type { Change, Sha256 } from "../change/change.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { TreeDifference } from "../view/tree-difference.ts";
import type { Archive } from "./archive.ts";
import type { RunFolder } from "./run-folder.ts";

/** What is larger is named, and shown without its content. */
const fileBytesMax = 256 * 1024;
const allBytesMax = 4 * 1024 * 1024;

interface Kept extends Pick<TreeDifference, "changes" | "links"> {
  /** By hash, in base 64. */
  readonly contents: Readonly<Record<string, string>>;
}

export async function keepHeld(archive: Archive, turn: string, held: TreeDifference): Promise<void> {
  const contents: Record<string, string> = {};
  let left = allBytesMax;
  for (const { pre, post } of held.changes) {
    for (const side of [pre, post]) {
      if (!side || side.size > Math.min(fileBytesMax, left) || contents[side.sha256] !== undefined) continue;
      contents[side.sha256] = Buffer.from(held.bytes(side.sha256)).toString("base64");
      left -= side.size;
    }
  }
  const kept: Kept = { changes: held.changes, links: held.links, contents };
  await archive.keep(`turns/${turn}/held.json`, encodeUtf8(JSON.stringify(kept)));
}

/** Nothing where nothing was kept, by an older version for instance. */
export function readHeld(folder: RunFolder, turn: string): TreeDifference | undefined {
  const bytes = folder.read(`turns/${turn}/held.json`);
  if (!bytes) return undefined;
  try {
    const { changes, links, contents } = JSON.parse(decodeUtf8(bytes)) as Kept;
    return { changes, links, bytes: (sha256) => contentOf(contents[sha256]) };
  } catch {
    // A view that was spoilt costs nothing but what it showed.
    return undefined;
  }
}

const tooLarge = encodeUtf8("(too large to be kept here)\n");

function contentOf(encoded: string | undefined): Uint8Array {
  return encoded === undefined ? tooLarge : Buffer.from(encoded, "base64");
}

/** By the bytes of both sides, as whoever compiled it has them. */
export function heldChange(
  changes: readonly Change[],
  bytesOf: ReadonlyMap<Sha256, Uint8Array>,
): TreeDifference {
  return { changes, links: [], bytes: (sha256) => bytesOf.get(sha256 as Sha256) ?? tooLarge };
}
