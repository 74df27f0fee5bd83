/**
 * Stores a change that only a person may allow next to the turn that asks for it, so that the person can look at it even
 * if it was only proposed and is not on disk yet. It is only for viewing: after a yes, the change is judged again before
 * it is carried out.
 */
import type { Change, Sha256 } from "../../change/change.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { TreeDifference } from "../../view/text/tree-difference.ts";
import type { Archive } from "../folder/archive.ts";
import type { RunFolder } from "../folder/run-folder.ts";

/** Larger files are listed without their content. */
const fileBytesMax = 256 * 1024;
const allBytesMax = 4 * 1024 * 1024;

interface StoredHeldChange extends Pick<TreeDifference, "changes" | "links"> {
  /** Base64, by hash. */
  readonly contents: Readonly<Record<string, string>>;
}

export async function storeHeldChange(archive: Archive, turn: string, held: TreeDifference): Promise<void> {
  const contents: Record<string, string> = {};
  let left = allBytesMax;
  for (const { pre, post } of held.changes) {
    for (const side of [pre, post]) {
      if (!side || side.size > Math.min(fileBytesMax, left) || contents[side.sha256] !== undefined) continue;
      contents[side.sha256] = Buffer.from(held.bytes(side.sha256)).toString("base64");
      left -= side.size;
    }
  }
  const kept: StoredHeldChange = { changes: held.changes, links: held.links, contents };
  await archive.keep(`turns/${turn}/held.json`, encodeUtf8(JSON.stringify(kept)));
}

/** Undefined if nothing was stored, for example by an older version. */
export function readHeldChange(folder: RunFolder, turn: string): TreeDifference | undefined {
  const bytes = folder.read(`turns/${turn}/held.json`);
  if (!bytes) return undefined;
  try {
    const { changes, links, contents } = JSON.parse(decodeUtf8(bytes)) as StoredHeldChange;
    return { changes, links, bytes: (sha256) => contentOf(contents[sha256]) };
  } catch {
    // If the file is damaged, only the view is lost.
    return undefined;
  }
}

const tooLarge = encodeUtf8("(too large to keep here)\n");

function contentOf(encoded: string | undefined): Uint8Array {
  return encoded === undefined ? tooLarge : Buffer.from(encoded, "base64");
}

/** A held change whose bytes come from its compiler. They are gathered only when somebody looks. */
export function heldChange(
  changes: readonly Change[],
  gather: () => ReadonlyMap<Sha256, Uint8Array>,
): TreeDifference {
  let gathered: ReadonlyMap<Sha256, Uint8Array> | undefined;
  return {
    changes,
    links: [],
    bytes(sha256) {
      gathered ??= gather();
      return gathered.get(sha256 as Sha256) ?? tooLarge;
    },
  };
}
