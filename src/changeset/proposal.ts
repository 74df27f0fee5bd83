/** What a caller hands in to be applied as one changeset, and what it gets to hear. */
import type { Change, Contents, Sha256 } from "../change/change.ts";
import type { Problem } from "../std/problem.ts";

export interface Proposal {
  /** Names the changeset for good: a second proposal with an applied id is recognised and changes nothing. */
  readonly id: string;
  readonly changes: readonly Change[];
  /** The bytes of every image that will be there afterwards. */
  readonly contents: Contents;
  /** Folders to remove if they end up empty, those inside before those above. */
  readonly emptied?: readonly string[];
  /** What a person will want to know of it later; it is kept with the changeset and goes into `progress.md`. */
  readonly about: About;
}

export interface About {
  readonly summary?: string;
  readonly specialist?: string;
  readonly task?: string;
  /** The changeset that this one takes back. */
  readonly undoes?: string;
  /** It is the files of a landing, whose other half is a branch and an index. */
  readonly landing?: LandingFacts;
  readonly operations: readonly OperationRecord[];
}

export interface LandingFacts {
  readonly run: string;
  readonly how: "fast-forward" | "merge";
  /** The commits that the branch came from and to. */
  readonly from: string;
  readonly to: string;
}

export interface OperationRecord {
  readonly index: number;
  readonly operation: "create" | "edit" | "append" | "delete";
  readonly path: string;
  readonly description: string;
  /** Size and hash of the file right after this operation; nothing after a delete. */
  readonly bytes?: number;
  readonly sha256?: Sha256;
}

export type Outcome =
  /** Written, made durable, and read back through fresh handles. */
  | { readonly outcome: "applied"; readonly id: string; readonly files: number }
  | { readonly outcome: "duplicate"; readonly id: string }
  /** No byte of the user's tree differs from before, but for files that somebody else changed meanwhile. */
  | { readonly outcome: "refused"; readonly problems: readonly Problem[] };

export interface Watching {
  /** Honoured until the commit point; from there on the changeset is finished, because half is no option. */
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number, what: string): void;
}
