/**
 * Whether a file or link at a desk can be part of a change.
 *
 * A file that is already in the tree is unfit only if it changed: the user may have had reasons for it before us. Where
 * git is needed to tell, or checking would cost as much as git does, the answer is "not sure".
 */
import { totalBytesMax } from "../../change/limits.ts";
import { canonicalPath, foldPath } from "../../change/path.ts";
import { type BytePath, joinBytePath, textOfBytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees, TreeEntry } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import { hashObject } from "../hash-object.ts";
import { strayLink } from "../link-target.ts";
import type { TreeListing } from "../tree-listing.ts";
import { notCanonical, notUtf8, ours, straying, tooMuch, type UnfitFile, unfitTooLarge } from "./unfit.ts";

/** The large hosts also refuse larger files. */
const fileBytesMax = 100_000_000;

export interface Fitness {
  readonly unfit?: UnfitFile;
  /** False when the file is unfit only if it was changed. */
  readonly isSure?: boolean;
  /** It may not be changed and was not, so it can be skipped. */
  readonly isUntouched?: boolean;
}

export interface Judge {
  present(path: BytePath, entry: TreeEntry): Fitness;
  isTooDeep(folder: BytePath): boolean;
  tooDeep(folder: BytePath): UnfitFile;
}

export function fitness(
  world: { readonly trees: FolderTrees; readonly place: CheckoutPaths },
  { desk, tree }: { readonly desk: BytePath; readonly tree: TreeListing },
): Judge {
  let newBytes = 0;
  let comparedBytes = 0;
  return { present, isTooDeep: (folder) => depthOf(folder) >= depthMax, tooDeep };

  function present(path: BytePath, entry: TreeEntry): Fitness {
    const tracked = tree.entries.get(path);
    if (entry.kind === "link") {
      const target = world.trees.targetOf(joinBytePath(desk, path));
      const bytes = Buffer.from(target, "latin1");
      if (tracked?.mode === "120000" && tracked.oid === hashObject(world.place, { type: "blob", bytes }))
        return {};
      const how = strayLink(path, target);
      if (how) return { unfit: straying(path, how), isSure: true };
    }
    const unfit = unfitPath(path);
    if (unfit && isUntouched(path, entry)) return { isUntouched: true };
    if (unfit) return { unfit, isSure: !tracked };
    if (entry.size > fileBytesMax)
      return { unfit: unfitTooLarge(path, { size: entry.size, bytesMax: fileBytesMax }), isSure: !tracked };
    if (tracked) return {};
    newBytes += entry.size;
    return newBytes > totalBytesMax ? { unfit: tooMuch(path, totalBytesMax), isSure: true } : {};
  }

  /** True when its bytes are the tree's. A file that a checkout converts is left to git. */
  function isUntouched(path: BytePath, entry: TreeEntry): boolean {
    const tracked = tree.entries.get(path);
    const mode = (entry.mode & 0o100) === 0 ? "100644" : "100755";
    if (entry.kind !== "file" || tracked?.mode !== mode) return false;
    comparedBytes += entry.size + fileCostBytes;
    if (comparedBytes > comparedBytesMax) return false;
    const bytes = world.trees.read(joinBytePath(desk, path));
    return tracked.oid === hashObject(world.place, { type: "blob", bytes });
  }
}

/**
 * Reading and hashing this much takes less time than a git process. Each file costs as much as `fileCostBytes` more.
 */
const comparedBytesMax = 256 * 1024;
const fileCostBytes = 4 * 1024;

/** The maximum depth of a path: anything deeper has no path that we accept. */
const depthMax = 64;

function depthOf(path: BytePath): number {
  return path.split("/").length;
}

function tooDeep(folder: BytePath): UnfitFile {
  return unfitPath(joinBytePath(folder, "x")) ?? notUtf8(folder);
}

/** What is wrong with the path itself, whatever is there. */
export function unfitPath(path: BytePath): UnfitFile | undefined {
  const text = textOfBytePath(path);
  if (text === undefined) return notUtf8(path);
  const canonical = canonicalPath(text, "/");
  if ("problem" in canonical) return notCanonical(path, canonical.problem);
  const [top = ""] = text.split("/");
  return foldPath(top) === ".coxswain" ? ours(path) : undefined;
}
