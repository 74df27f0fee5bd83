/** A note: an assumption or doubt that an agent recorded. */
export interface Note {
  readonly description: string;
  readonly context?: string;
  readonly category?: string;
  readonly status: NoteStatus;
  /** How it was settled, if the agent did so itself. */
  readonly resolution?: string;
  /** Why the agent may not settle it. */
  readonly escalationReason?: string;
}

export type NoteStatus = "open" | "resolved" | "escalated";

interface WireNote {
  readonly description: string;
  readonly context?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: string | undefined;
  readonly resolution?: string | undefined;
  readonly escalation_reason?: string | undefined;
}

export function toNotes(wire: readonly WireNote[] | undefined): Note[] {
  return (wire ?? []).map(({ description, context, category, status, resolution, escalation_reason }) => ({
    description,
    ...(context !== undefined && { context }),
    ...(category !== undefined && { category }),
    status: statusOf(status),
    ...(resolution !== undefined && { resolution }),
    ...(escalation_reason !== undefined && { escalationReason: escalation_reason }),
  }));
}

/** Nobody has settled the note, so it is put to the user. */
export function isUnsettled({ status }: Note): boolean {
  return status !== "resolved";
}

/** An unknown status leaves the note open: a word that we do not understand settles nothing. */
function statusOf(written: string | undefined): NoteStatus {
  const word = written?.trim().toLowerCase();
  return word === "resolved" || word === "escalated" ? word : "open";
}
