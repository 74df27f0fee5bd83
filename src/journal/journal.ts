/**
 * The port to the journal, the truth of a run: every event in order, exactly once, for ever, with one writer at a time.
 *
 * An appended event is numbered at once, so the state can move on. It is durable only when `durable` says so; until
 * then nothing outside may happen, be acknowledged or be shown.
 */

import type { Event } from "../kernel/event.ts";
import type { Moment } from "../kernel/moment.ts";

export interface Journal {
  /** The events that were there when it was opened. */
  readonly recorded: readonly Recorded[];
  /** What a crash left behind and opening put aside, in words. */
  readonly recovered: readonly string[];
  /** Appends the events of one decision, together or not at all. Throws LOCK_LOST when we are no longer the writer. */
  append(events: readonly Event[], moment: Moment): readonly Recorded[];
  /** Resolves when everything appended so far survives a power cut. All callers share the wait. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

export type Recorded = Event & Moment & { readonly seq: number; readonly fence: number };
