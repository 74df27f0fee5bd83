/**
 * Records the progress of a task in its document: its Status, its checkbox, who has it since when, and notes.
 *
 * Nothing else changes: the result is read back. If the document cannot hold the record in one position (a line below
 * would be taken for something else), another position is tried; if that fails too, the change is refused.
 */

import type { Document } from "../../document/document.ts";
import { firstFields, removal } from "../../plan/edit/field-edit.ts";
import { lineEndOf, type Splice, toNewLine } from "../../plan/edit/splice.ts";
import type { Field, PlanTask } from "../../plan/plan.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Sliceable } from "../../std/sliceable.ts";
import { noteLines, plainNote } from "./note.ts";
import { recordOf, stateOf, type TaskState } from "./task-record.ts";

export interface TaskRecordChange {
  readonly status?: TaskState;
  /** Undefined leaves it as it is; null removes it. */
  readonly started?: string | null;
  readonly completed?: string | null;
  readonly note?: string;
}

export type RecordResult =
  | { readonly splices: readonly Splice[]; readonly document: Document }
  | { readonly problem: Problem };

export function recordTask(document: Document, task: PlanTask, recording: TaskRecordChange): RecordResult {
  for (const side of ["below", "above"] as const) {
    const splices = splicesOf(document, task, { ...recording, side });
    if (splices.length === 0) return { splices, document };
    const after = document.spliced(splices);
    if (holds({ before: document, after, task, recording })) return { splices, document: after };
  }
  const message = `the document cannot hold what is to be recorded of ${quote(task.id, 60)}`;
  const hint = "Leave a blank line between its fields and its text, and close its fences and comments.";
  return { problem: { code: "TASK_EDIT_LOST", message, hint } };
}

function splicesOf(
  text: Sliceable,
  task: PlanTask,
  { status, started, completed, note, side }: TaskRecordChange & { readonly side: "below" | "above" },
): Splice[] {
  const splices: Splice[] = [];
  const fresh: string[] = [];
  const opening = openingOf(text, task);
  const put = (name: string, value: string | null | undefined) => {
    const [first, ...others] = task.fields.filter(({ key }) => key === name.toLowerCase());
    if (value === undefined) return;
    if (value === null) splices.push(...(first ? [first, ...others] : []).map(removal));
    else if (first) splices.push(replacement(text, first, value), ...others.map(removal));
    else fresh.push(`${opening}${name}: ${value}`);
  };
  const { tick } = task.place;
  // The checkbox is enough, unless there is a status that it cannot express.
  const needsWord =
    tick === undefined || status === "in_progress" || status === "blocked" || hasField(task, "status");
  if (needsWord) put("Status", status);
  if (tick !== undefined && status !== undefined && task.isDone !== (status === "completed")) {
    splices.push({ start: tick, end: tick + 1, text: status === "completed" ? "x" : " " });
  }
  put("Started", started);
  put("Completed", completed);
  if (note !== undefined) fresh.push(...noteLines(note, opening));
  if (fresh.length > 0) splices.push(insertion(text, task, { lines: fresh, side }));
  return splices;
}

function hasField({ fields }: PlanTask, key: string): boolean {
  return fields.some((field) => field.key === key);
}

function replacement(text: Sliceable, { value }: Field, word: string): Splice {
  const isTight = /[:*]/.test(text.slice(value.start - 1, value.start));
  return { ...value, text: `${isTight ? " " : ""}${word}` };
}

/** The list marker that existing fields use. */
function openingOf(text: Sliceable, { fields, place }: PlanTask): string {
  for (const { whole, name } of fields.toReversed()) {
    const line = text.slice(whole.start, whole.end);
    const marker = /^[ \t]*[-*+][ \t]+/.exec(line.slice(0, line.indexOf(name)))?.[0];
    if (marker) return marker.replace(/\t/g, "    ");
  }
  return `${place.indent}- `;
}

const recordKeys = ["status", "started", "completed", "note"];

function insertion(
  text: Sliceable,
  task: PlanTask,
  { lines, side }: { readonly lines: readonly string[]; readonly side: "below" | "above" },
): Splice {
  const lineEnd = lineEndOf(text);
  const block = `${lines.join(lineEnd)}${lineEnd}`;
  const anchor = task.fields.findLast(({ key }) => recordKeys.includes(key)) ?? task.fields.at(-1);
  if (anchor) {
    const at = side === "below" ? anchor.whole.end : anchor.whole.start;
    return { start: at, end: at, text: `${toNewLine(text, at, lineEnd)}${block}` };
  }
  return firstFields(text, task, block, lineEnd);
}

interface Written {
  readonly before: Document;
  readonly after: Document;
  readonly task: PlanTask;
  readonly recording: TaskRecordChange;
}

/** Whether the document now has the intended record for this task, and everything else is unchanged. */
function holds({ before, after, task, recording }: Written): boolean {
  const at = before.tasks.indexOf(task.id);
  const now = after.tasks.at(at);
  if (!now || after.tasks.size !== before.tasks.size || now.id !== task.id) return false;
  const grown = after.length - before.length;
  if (now.place.whole.end !== task.place.whole.end + grown) return false;
  if (now.title !== task.title || now.text !== task.text) return false;
  const { status, started, completed, note } = recording;
  if (status !== undefined && stateOf(now) !== status) return false;
  const was = recordOf(before, task);
  const is = recordOf(after, now);
  const notes = note === undefined ? was.notes : [...was.notes, plainNote(note)];
  const others = (text: Sliceable, { fields }: PlanTask) =>
    fields
      .filter(({ key }) => !recordKeys.includes(key))
      .map(({ name, value }) => [name, text.slice(value.start, value.end)]);
  return (
    isSame(is.notes, notes) &&
    isSame(others(after, now), others(before, task)) &&
    isPut(is.started, was.started, started) &&
    isPut(is.completed, was.completed, completed)
  );
}

function isPut(is: unknown, was: unknown, wanted: string | null | undefined): boolean {
  if (wanted === undefined) return isSame(is, was);
  return (is === undefined) === (wanted === null);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
