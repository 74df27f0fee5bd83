/**
 * One thing that is wrong with what somebody gave us, with what is needed to put it right.
 *
 * Problems are values: whoever finds them returns all of them at once, and a door prints them. The code is
 * stable and machine-readable; the message says what and why; the hint says what to write or type instead.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Position in `file_operations` (or `operations` on tasks and sections), from 0, where one operation is at fault. */
  readonly index?: number;
  /** The field inside the operation, as a reader would write it: `edits[1].old_string`. */
  readonly field?: string;
  /** The path concerned: canonical where it could be made so, else as it was given. */
  readonly path?: string;
}
