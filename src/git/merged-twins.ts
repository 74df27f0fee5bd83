/**
 * Finds names that differ only in case, one from each side of a merge. Each is fine alone, and git merges them cleanly,
 * but on a system that ignores case one of them would be lost. So they count as a conflict.
 */
import { spellingChecker } from "../change/policy/spellings.ts";

export interface MergedSides {
  /** Paths of all files in the tree. */
  readonly base: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
  /** Names in a folder ("" is the root). */
  readonly ours: (folder: string) => readonly string[];
}

/** Returns paths of `theirs`. */
export function mergedTwins({ base, theirs, ours }: MergedSides): string[] {
  const made = [...theirs].filter((path) => !base.has(path)).map((path) => ({ path, post: true }));
  if (made.length === 0) return [];
  const gone = [...base].filter((path) => !theirs.has(path)).map((path) => ({ path, pre: true }));
  const check = spellingChecker([...made, ...gone], ours);
  return made.filter((change) => check(change) !== undefined).map(({ path }) => path);
}
