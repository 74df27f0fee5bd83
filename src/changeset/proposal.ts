/** What a caller submits to be applied as one changeset, and what it gets back. */
import type { Change, Contents, Sha256 } from "../change/change.ts";
import type { DeletePreview } from "../change/policy/delete-preview.ts";
import type { Problem } from "../std/problem.ts";

export interface Proposal {
  /**
   * Names the changeset for good: a second proposal with the id of an applied changeset is recognised and changes
   * nothing.
   */
  readonly id: string;
  readonly changes: readonly Change[];
  /** The bytes of every image after the change. */
  readonly contents: Contents;
  /** Folders to remove if they end up empty, children before parents. */
  readonly emptied?: readonly string[];
  /** What a person will want to know about it later; kept with the changeset and written to `progress.md`. */
  readonly about: About;
}

export interface About {
  readonly summary?: string;
  readonly specialist?: string;
  readonly task?: string;
  /** The changeset that this one undoes. */
  readonly undoes?: string;
  /** Set for the files of a landing, whose other half is a branch and an index. */
  readonly landing?: LandingFacts;
  readonly operations: readonly OperationRecord[];
  /** The deleted files, as far as they are shown: a changeset that deletes many lists only the first ones. */
  readonly deletes?: readonly DeleteRecord[];
}

export interface DeleteRecord extends DeletePreview {
  readonly path: string;
  readonly bytes: number;
  /** Who allowed it, in words. */
  readonly answer: string;
}

export interface LandingFacts {
  readonly run: string;
  readonly how: "fast-forward" | "merge";
  /** The branch's commits before and after. */
  readonly from: string;
  readonly to: string;
}

export interface OperationRecord {
  readonly index: number;
  readonly operation: "create" | "edit" | "append" | "delete";
  readonly path: string;
  readonly description: string;
  /** Size and hash of the file right after this operation; missing after a delete. */
  readonly bytes?: number;
  readonly sha256?: Sha256;
}

export type ApplyOutcome =
  /** Written, made durable, and read back through fresh handles. */
  | { readonly outcome: "applied"; readonly id: string; readonly files: number }
  | { readonly outcome: "duplicate"; readonly id: string }
  /** Nothing in the user's tree differs from before, except files that somebody else changed meanwhile. */
  | { readonly outcome: "refused"; readonly problems: readonly Problem[] };

export interface ApplyObserver {
  /** Honoured until the commit point. After it the changeset is finished, because stopping halfway is not an option. */
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number, what: string): void;
}
