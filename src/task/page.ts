/**
 * A page of a document: as much of its text, or of its outline, as one answer should hold, and where to continue.
 *
 * The sections and tasks of a page are those that start on it.
 */

import type { Document } from "../document/document.ts";
import type { Span } from "../plan/plan.ts";
import { cutAt } from "../std/cut.ts";
import { stateOf, type TaskState } from "./record/task-record.ts";

export interface Page {
  /** Not in an outline. */
  readonly text?: string;
  readonly sections: readonly { readonly slug: string; readonly title: string; readonly level: number }[];
  readonly tasks: readonly { readonly slug: string; readonly title: string; readonly status: TaskState }[];
  /** The outline as text: one line for each section and task. */
  readonly outline: readonly string[];
  /** Where the next page starts; missing on the last one. */
  readonly next?: number;
}

export interface PageRequest {
  /** The part of the document to show. */
  readonly within: Span;
  /** Where to start: `next` of the previous page. */
  readonly from?: number;
  readonly isOutline: boolean;
}

/** About five thousand tokens. */
const pageLength = 20_000;
const entriesMax = 300;

export function pageOf(document: Document, { within, from = within.start, isOutline }: PageRequest): Page {
  const start = Math.min(Math.max(from, within.start), within.end);
  const entries = entriesOf(document, { start, end: within.end });
  const end = isOutline
    ? (entries[entriesMax]?.at ?? within.end)
    : endOfPage(document.text, start, within.end);
  const shown = entries.filter(({ at }) => at < end);
  return {
    ...(!isOutline && { text: document.text.slice(start, end) }),
    sections: shown.flatMap(({ section }) => section ?? []),
    tasks: shown.flatMap(({ task }) => task ?? []),
    outline: shown.map(lineOf),
    ...(end < within.end && { next: end }),
  };
}

interface Entry {
  readonly at: number;
  readonly section?: Page["sections"][number];
  readonly task?: Page["tasks"][number];
}

/** A task that is a heading counts as both. */
function entriesOf({ sections, tasks }: Document, { start, end }: Span): Entry[] {
  const entries = new Map<number, Entry>();
  const isShown = (at: number) => at >= start && at < end;
  for (const { slug, title, level, whole } of sections.all) {
    if (isShown(whole.start)) entries.set(whole.start, { at: whole.start, section: { slug, title, level } });
  }
  for (const task of tasks.tasks) {
    const at = task.place.whole.start;
    if (!isShown(at)) continue;
    const { id: slug, title } = task;
    entries.set(at, { at, ...entries.get(at), task: { slug, title, status: stateOf(task) } });
  }
  return [...entries.values()].toSorted((one, other) => one.at - other.at);
}

function lineOf({ section, task }: Entry): string {
  const slug = task?.slug ?? section?.slug ?? "";
  const head = section ? `${"#".repeat(section.level)} ${section.title}` : `- ${task?.title ?? ""}`;
  return `${head.replace(/\s+/g, " ")} → #${slug}${task ? ` (${task.status})` : ""}`;
}

/** Ends at a line end, unless that would leave the page half empty: then a very long line is cut. */
function endOfPage(text: string, start: number, end: number): number {
  if (end - start <= pageLength) return end;
  const feed = text.lastIndexOf("\n", start + pageLength - 1);
  if (feed >= start + pageLength / 2) return feed + 1;
  return start + cutAt(text.slice(start, end), pageLength).kept.length;
}
