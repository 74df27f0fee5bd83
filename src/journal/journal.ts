/**
 * The port to the truth: events in order, once, for ever, with one writer at a time.
 *
 * What is appended is numbered at once, so that the state can go on; it is durable only when `durable` says so, and
 * nothing outside may happen, be acknowledged or be shown before that.
 */
import type { Event } from "../kernel/event.ts";

export interface Journal {
  /** What was there when it was opened. */
  readonly recorded: readonly Recorded[];
  /** Things a crash left behind that were put aside when it was opened, in words. */
  readonly recovered: readonly string[];
  /** The events of one decision: they are there together or not at all. Throws LOCK_LOST when we are no longer the writer. */
  append(events: readonly Event[], moment: Moment): readonly Recorded[];
  /** Resolved when everything appended so far survives a power cut; shares its waiting with everybody who asks. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** When something was recorded: by the wall for people, in run time for deadlines. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of run time. */
  readonly time: number;
}

export type Recorded = Event & Moment & { readonly seq: number; readonly fence: number };
