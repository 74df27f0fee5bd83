/**
 * Reads every file of a changeset back through fresh handles, walking from the root again: what the program believes it
 * wrote is no evidence. A deleted file is verified by its absence.
 */
import type { Problem } from "../std/problem.ts";
import type { Tree } from "../world/folders/tree.ts";
import { isAt } from "./look.ts";
import type { ManifestEntry } from "./manifest.ts";

/** Returns the paths that are not as promised. */
export function verify(tree: Tree, entries: readonly ManifestEntry[]): string[] {
  tree.release();
  return entries.filter(({ path, post }) => !isAt(tree, path, post)).map(({ path }) => path);
}

export function notAsPromised(path: string): Problem {
  return {
    code: "VERIFY_FAILED",
    path,
    message: `${path} was written, but reading it back gave something else`,
    hint: "Nothing is changed. If another program writes this file, stop it; else check the disk.",
  };
}

/** A staged file reads back as something else. */
export class ReadBackError extends Error {
  override name = "ReadBackError";
  readonly problem: Problem;

  constructor(path: string) {
    super(`verification failed: ${path}`);
    this.problem = notAsPromised(path);
  }
}
