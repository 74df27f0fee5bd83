/**
 * A model's reply after extraction and validation: data we can act on, nothing yet judged against the disk.
 *
 * The wire shape, with the names the models use, is in `schema.ts`.
 */
export interface Reply {
  readonly operations: readonly Operation[];
  readonly summary?: string;
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
  /** The path as the model wrote it: not yet canonical, not yet judged. */
  readonly filePath: string;
  readonly description: string;
  /** The hash of the file the model saw; the operation is refused when the file has moved on. */
  readonly baseSha256?: string;
  /** False leaves the preview out of reports. The check itself is never left out. */
  readonly preview: boolean;
}

export type Edit =
  | { readonly by: "content"; readonly content: string }
  | { readonly by: "replacements"; readonly replacements: readonly Replacement[] }
  | { readonly by: "patch"; readonly patch: string }
  /** Plain words: an editor's turn must make concrete edits of them first. */
  | { readonly by: "instructions"; readonly instructions: string };

export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}
