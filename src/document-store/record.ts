/**
 * What the log of the documents says, and what it means: who changed which documents, and how to do it again.
 *
 * A record is written before its change is carried out. Where that turned out to be impossible, because somebody else
 * wrote a document in the same moment, a second record withdraws the first.
 */

import type { DocumentPath } from "../document/address.ts";
import type { Redo, Revision } from "../document/revise.ts";
import type { Author, Deed, Done } from "../document/store.ts";
import type { Entry } from "../durable/log.ts";
import type { LogRecord } from "../durable/scan.ts";

export const recordVersion = 1;

export interface FileRecord {
  readonly path: DocumentPath;
  /** A hash; nothing where there was, or is to be, no such document. */
  readonly before: string | null;
  readonly after: string | null;
  readonly redo?: Redo;
}

export interface ChangeRecord extends Done {
  readonly by: Author;
  readonly files: readonly FileRecord[];
}

const changed = "documents_changed";
const withdrawn = "documents_change_withdrawn";

export function changeEntry(by: Author, { tool, about, tasks }: Done, revisions: readonly Revision[]): Entry {
  const files = revisions.map(({ path, before, after, redo }) => ({
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    ...(redo && { redo }),
  }));
  const { name, door } = by;
  const data: ChangeRecord = { by: { name, door }, tool, about, ...(tasks && { tasks }), files };
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

export function deedOf(at: string, { by, tool, about, tasks, files }: ChangeRecord): Deed {
  return {
    at,
    by,
    tool,
    about,
    ...(tasks && { tasks }),
    files: files.map(({ path, before, after }) => ({ path, before, after })),
  };
}
