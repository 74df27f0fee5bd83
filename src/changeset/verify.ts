/**
 * Reads every file of a changeset back through fresh handles, walked anew from the root: what the program
 * believes to have written is no evidence. A deleted file is verified by its absence.
 */
import type { Problem } from "../std/problem.ts";
import type { Tree } from "../world/tree.ts";
import { isAt } from "./look.ts";
import type { Entry } from "./manifest.ts";

/** The paths that are not as they were promised. */
export function verify(tree: Tree, entries: readonly Entry[]): string[] {
  tree.release();
  return entries.filter(({ path, post }) => !isAt(tree, path, post)).map(({ path }) => path);
}

export function notAsPromised(path: string): Problem {
  return {
    code: "VERIFY_FAILED",
    path,
    message: `${path} was written, but reading it back did not give what was promised`,
    hint: "Nothing is changed. If another program writes this file, stop it; else check the disk.",
  };
}

/** What was staged came back as something else. */
export class Misread extends Error {
  override name = "Misread";
  readonly problem: Problem;

  constructor(path: string) {
    super(`verification failed: ${path}`);
    this.problem = notAsPromised(path);
  }
}
