/** What the log records of a changeset: its operations, and the deletes that it asks for. */

/** A reply's operations and the other changes at the desk, as shown to people: a bounded list. */
export interface RecordedChangeset {
  readonly operations: readonly RecordedOperation[];
  /** How many there are in all; the list may be shorter. */
  readonly total: number;
}

export interface RecordedOperation {
  /** Position among all of them, from 1. */
  readonly number: number;
  readonly operation: "create" | "edit" | "append" | "delete";
  readonly path: string;
  /** In the agent's words. Missing if the agent changed the file at its desk itself. */
  readonly description?: string;
  /** Size of the file as read back from the desk. Missing if the file is gone or was never written. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The operation was applied but is not in the captured work: git ignores the file, or its content did not change. */
  readonly is_outside_work?: true;
  /** Why the operation was refused. */
  readonly failure?: string;
}

export interface RecordedDelete {
  readonly path: string;
  readonly bytes: number;
  /** Hash of what would be deleted. */
  readonly sha256: string;
  /** `dropped`: the changeset was refused for another reason, so nobody was asked. */
  readonly answer: "allowed" | "refused" | "asked" | "dropped";
  /** Its first lines, with secrets masked. Missing if they must not be shown. */
  readonly preview?: readonly string[];
  /** How many lines it has. */
  readonly lines?: number;
  readonly is_binary?: true;
}
