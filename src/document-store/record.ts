/**
 * What the log of the documents says, and what it means: who changed which documents, how to do it again, and how to take
 * it back.
 *
 * A record is written before its change is carried out. Where that turned out to be impossible, because somebody else
 * wrote a document in the same moment, a second record withdraws the first.
 */

import type { DocumentPath } from "../document/address.ts";
import type { Remake, Revision } from "../document/revise.ts";
import type { Author, Deed, Done } from "../document/store.ts";
import type { Entry } from "../durable/log.ts";
import type { LogRecord } from "../durable/scan.ts";

export const recordVersion = 1;

export interface FileRecord {
  readonly path: DocumentPath;
  /** A hash; nothing where there was, or is to be, no such document. */
  readonly before: string | null;
  readonly after: string | null;
  readonly redo?: Remake;
  /** Nothing where there was no document, and in records from before it was kept. */
  readonly undo?: Remake;
}

export interface ChangeRecord extends Done {
  readonly by: Author;
  readonly files: readonly FileRecord[];
}

const changed = "documents_changed";
const withdrawn = "documents_change_withdrawn";

export function changeEntry(
  by: Author,
  { tool, about, tasks, undoes }: Done,
  revisions: readonly Revision[],
): Entry {
  const files = revisions.map(({ path, before, after, redo, undo }) => ({
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    ...(redo && { redo }),
    ...(undo && { undo }),
  }));
  const { name, door } = by;
  const data: ChangeRecord = {
    by: { name, door },
    tool,
    about,
    ...(tasks && { tasks }),
    ...(undoes !== undefined && { undoes }),
    files,
  };
  return { event: changed, data };
}

export function withdrawalEntry(seq: number): Entry {
  return { event: withdrawn, data: { seq } };
}

export function understands({ v, event }: LogRecord): boolean {
  return v <= recordVersion && (event === changed || event === withdrawn);
}

/** Nothing when the record is no change. */
export function changeIn({ event, data }: LogRecord): ChangeRecord | undefined {
  return event === changed ? (data as ChangeRecord) : undefined;
}

/** The number of the record that it withdraws, if it does. */
export function withdrawnIn({ event, data }: LogRecord): number | undefined {
  return event === withdrawn ? (data as { readonly seq: number }).seq : undefined;
}

/** A change with all that it put in and took out. */
export interface PastChange extends ChangeRecord {
  readonly number: number;
  readonly at: string;
}

/** Those that were not withdrawn. */
export function changesIn(records: readonly LogRecord[]): PastChange[] {
  const withdrawn = new Set(records.map(withdrawnIn));
  return records.flatMap((record) => {
    const change = withdrawn.has(record.seq) ? undefined : changeIn(record);
    return change ? [{ number: record.seq, at: record.at, ...change }] : [];
  });
}

export function deedOf(
  { seq, at }: LogRecord,
  { by, tool, about, tasks, undoes, files }: ChangeRecord,
): Deed {
  return {
    number: seq,
    at,
    by,
    tool,
    about,
    ...(tasks && { tasks }),
    ...(undoes !== undefined && { undoes }),
    files: files.map(({ path, before, after }) => ({ path, before, after })),
  };
}
