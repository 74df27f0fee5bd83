/**
 * The records in the document log: who changed which documents, how to apply the change again, and how to undo it.
 *
 * A record is written before its change is applied. If the change then turns out to be impossible, because somebody
 * else wrote a document at the same moment, a second record withdraws the first.
 */

import type { DocumentPath } from "../document/address.ts";
import type { Author, ChangeSummary, Deed } from "../document/store.ts";
import type { Remake, Revision } from "../document/text/revise.ts";
import type { LogInput } from "../durable/log.ts";
import type { LogRecord } from "../durable/scan.ts";

export const recordVersion = 1;

export interface FileRecord {
  readonly path: DocumentPath;
  /** A hash; null where the document did not exist before, or will not exist afterwards. */
  readonly before: string | null;
  readonly after: string | null;
  readonly redo?: Remake;
  /** Missing if there was no document, and in old records, which did not keep it. */
  readonly undo?: Remake;
}

export interface ChangeRecord extends ChangeSummary {
  readonly by: Author;
  readonly files: readonly FileRecord[];
}

const changed = "documents_changed";
const withdrawn = "documents_change_withdrawn";

export function changeEntry(
  by: Author,
  { tool, about, tasks, undoes }: ChangeSummary,
  revisions: readonly Revision[],
): LogInput {
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

export function withdrawalEntry(seq: number): LogInput {
  return { event: withdrawn, data: { seq } };
}

export function understands({ v, event }: LogRecord): boolean {
  return v <= recordVersion && (event === changed || event === withdrawn);
}

/** Undefined if the record is not a change. */
export function changeIn({ event, data }: LogRecord): ChangeRecord | undefined {
  return event === changed ? (data as ChangeRecord) : undefined;
}

/** The number of the record that this one withdraws, if any. */
export function withdrawnIn({ event, data }: LogRecord): number | undefined {
  return event === withdrawn ? (data as { readonly seq: number }).seq : undefined;
}

/** A change with everything it added and removed. */
export interface PastChange extends ChangeRecord {
  readonly number: number;
  readonly at: string;
}

/** Only the changes that were not withdrawn. */
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
