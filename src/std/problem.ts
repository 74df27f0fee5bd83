/**
 * One thing that is wrong with what somebody gave us, and what is needed to fix it.
 *
 * Problems are values: a check returns all of them at once, and a door prints them. The code is stable and
 * machine-readable; the message says what and why; the hint says what to write or type instead.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Position in `file_operations` (or `operations` on tasks and sections), from 0, if one operation is at fault. */
  readonly index?: number;
  /** The field inside the operation, as a reader would write it: `edits[1].old_string`. */
  readonly field?: string;
  /** The path concerned: canonical if possible, else as it was given. */
  readonly path?: string;
}
