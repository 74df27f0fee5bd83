/** A file is not what a changeset was made against. Whoever changed it goes first: it is never laid over. */
import type { Image } from "../change/change.ts";
import type { Problem } from "../std/problem.ts";

export class Conflict extends Error {
  override name = "Conflict";
  readonly code = "TXN_CONFLICT";
  readonly problem: Problem;

  constructor(path: string, expected: Image | undefined, found: string | undefined) {
    super(`${path} changed since it was read (expected ${told(expected?.sha256)}, found ${told(found)})`);
    this.problem = {
      code: this.code,
      path,
      message: this.message,
      hint: "Look at the file as it is now, then make the change anew against it.",
    };
  }
}

function told(sha256: string | undefined): string {
  return sha256 ? `${sha256.slice(0, 8)}…` : "nothing there";
}
