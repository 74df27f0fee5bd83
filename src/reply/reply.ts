/**
 * A model's reply after extraction and validation: data we can act on, not yet judged against the disk.
 *
 * The wire shape, with the names the models use, is in `schema.ts`.
 */
import type { DeliveryClaims } from "./check/claims.ts";
import type { Note } from "./note/note.ts";
import type { Signal } from "./signal/signal.ts";

export interface Reply {
  /** Empty only in a turn of a run: for an agent at its desk, or with a signal that says why there are none. */
  readonly operations: readonly Operation[];
  readonly summary?: string;
  readonly notes: readonly Note[];
  readonly outputs: readonly Output[];
  readonly delegations: readonly Delegation[];
  /** Read only in a turn of a run. */
  readonly signal?: Signal;
  /** Progress that the reply reports, in order. */
  readonly checkpoints: readonly string[];
  /** What an agent at its desk claims it did there, to be compared with what was captured. */
  readonly claims?: DeliveryClaims;
}

/** A document for the tasks that build on this one. */
export interface Output {
  readonly name: string;
  readonly content: string;
}

/** A question to another agent. */
export interface Delegation {
  readonly agent: string;
  readonly requestType: string;
  readonly request: string;
}

export type Operation = OperationBase &
  (
    | { readonly operation: "create"; readonly content: string }
    | { readonly operation: "append"; readonly content: string }
    | { readonly operation: "edit"; readonly edit: Edit }
    | { readonly operation: "delete" }
  );

interface OperationBase {
  /** Position in the reply, from 0. */
  readonly index: number;
  /** The path as the model wrote it: neither canonical nor judged yet. */
  readonly filePath: string;
  readonly description: string;
  /** The hash of the file that the model saw. The operation is refused if the file has changed since. */
  readonly baseSha256?: string;
  /** False omits the preview from reports. The check itself is never omitted. */
  readonly preview: boolean;
}

export type Edit =
  | { readonly by: "content"; readonly content: string }
  | { readonly by: "replacements"; readonly replacements: readonly Replacement[] }
  | { readonly by: "patch"; readonly patch: string }
  /** Plain words: an editor's turn must turn them into concrete edits first. */
  | { readonly by: "instructions"; readonly instructions: string };

export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}
