/** A note: an assumption or doubt that an agent recorded. */
export interface Note {
  readonly description: string;
  readonly context?: string;
  readonly category?: string;
  readonly status: NoteStatus;
}

export type NoteStatus = "open" | "resolved" | "escalated";

interface WireNote {
  readonly description: string;
  readonly context?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: string | undefined;
}

export function toNotes(wire: readonly WireNote[] | undefined): Note[] {
  return (wire ?? []).map(({ description, context, category, status }) => ({
    description,
    ...(context !== undefined && { context }),
    ...(category !== undefined && { category }),
    status: statusOf(status),
  }));
}

/** A status that nobody knows leaves the note open: nothing is settled by a word we do not understand. */
function statusOf(written: string | undefined): NoteStatus {
  const word = written?.trim().toLowerCase();
  return word === "resolved" || word === "escalated" ? word : "open";
}
