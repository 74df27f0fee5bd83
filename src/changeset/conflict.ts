/** A file is not what the changeset was made against. Somebody else's change wins: it is never overwritten. */
import type { Image } from "../change/change.ts";
import type { Problem } from "../std/problem.ts";

export class Conflict extends Error {
  override name = "Conflict";
  readonly code = "TXN_CONFLICT";
  readonly problem: Problem;

  constructor(path: string, expected: Image | undefined, found: string | undefined) {
    super(
      `${path} changed since it was read (expected ${shortHash(expected?.sha256)}, found ${shortHash(found)})`,
    );
    this.problem = {
      code: this.code,
      path,
      message: this.message,
      hint: "Look at the file as it is now, then make the change again.",
    };
  }
}

/** Shortens a hash to its beginning; anything else, such as a size, stays as it is. */
function shortHash(found: string | undefined): string {
  if (found === undefined) return "nothing there";
  return /^[0-9a-f]{64}$/.test(found) ? `${found.slice(0, 8)}…` : found;
}
