/**
 * Changes the title, content or status of a task. Its slug stays, since others refer to it. So does what is recorded
 * about it, unless the new content says otherwise.
 */

import type { Document } from "../../document/document.ts";
import type { Author } from "../../document/store.ts";
import { fieldSplice } from "../../plan/edit/field-edit.ts";
import { lineEndOf, type Splice, toNewLine } from "../../plan/edit/splice.ts";
import { idFromTitle } from "../../plan/id.ts";
import type { PlanTask } from "../../plan/plan.ts";
import type { Problem } from "../../std/problem.ts";
import type { Sliceable } from "../../std/sliceable.ts";
import type { HowTo } from "../how-to.ts";
import { recordTask } from "../record/record-task.ts";
import { stateOf, type TaskState } from "../record/task-record.ts";
import { leaseOf } from "../session/lease.ts";
import { joined } from "./new-task.ts";
import { plainContent, readDraft, whyNoStatus } from "./task-content.ts";
import { verifyWarnings } from "./verify-warnings.ts";

export interface TaskEdit {
  readonly title: string | undefined;
  readonly content: string | undefined;
  readonly status: "pending" | "blocked" | undefined;
  /** Only together with a status. */
  readonly note: string | undefined;
  readonly how: HowTo;
  readonly author: Author;
}

export type EditedTask =
  | {
      readonly id: string;
      readonly title: string;
      readonly state: TaskState;
      readonly splices: readonly Splice[];
      readonly warnings: readonly Problem[];
    }
  | { readonly problems: readonly Problem[] };

/** If somebody else has the task in progress, they keep it: their record is not reset without their knowledge. */
export function editTask(document: Document, task: PlanTask, request: TaskEdit): EditedTask {
  const edited = edit(document, task, request);
  if ("problems" in edited) return edited;
  const { isReset, ...done } = edited;
  const lease = leaseOf(document, task, request);
  if (stateOf(task) !== "in_progress" || lease.is !== "refused") return done;
  if (isReset) return { problems: [lease.problem] };
  const message = `${lease.problem.message}, and may not have seen this`;
  const warning = { code: "TASK_HELD", message, hint: "Tell them." };
  return { ...done, warnings: [...done.warnings, warning] };
}

type Edit = Exclude<EditedTask, { readonly problems: unknown }> & {
  /** Whether its recorded progress is lost. */
  readonly isReset: boolean;
};

function edit(
  document: Document,
  task: PlanTask,
  request: TaskEdit,
): Edit | { readonly problems: readonly Problem[] } {
  const { title = task.title, content, status, note } = request;
  if (note !== undefined && (status === undefined || content !== undefined)) return { problems: [noteAlone] };
  const level = task.form === "bullet" ? 1 : document.tasks.levelOf(document.tasks.indexOf(task.id));
  const { settings } = document.tasks;
  const mustPin = idFromTitle(title) !== task.id && !task.fields.some(({ key }) => key === "id");
  const named = { id: task.id, title };
  if (content === undefined) {
    const alone = readDraft({ title, body: "", level, settings });
    if ("problems" in alone) return alone;
    const splices: Splice[] = title === task.title ? [] : [{ ...task.place.title, text: title }];
    const pin = { key: "Id", value: task.id };
    if (mustPin) splices.push(fieldSplice(document, task, pin, lineEndOf(document)));
    if (status === undefined) {
      return { ...named, state: stateOf(task), splices, warnings: [], isReset: false };
    }
    const record = { status, started: null, completed: null, ...(note !== undefined && { note }) };
    const recorded = recordTask(document, task, record);
    if ("problem" in recorded) return { problems: [recorded.problem] };
    const all = [...splices, ...recorded.splices];
    return { ...named, state: status, splices: all, warnings: [], isReset: true };
  }
  const plain = plainContent(content);
  const alone = readDraft({ title, body: plain, level, settings });
  if ("problems" in alone) return alone;
  const kept = keptLines(document, task, { said: alone.task, status, mustPin });
  const body = [...kept, ...(kept.length > 0 ? joined(plain, alone.task) : [plain])].join("\n");
  const read = readDraft({ title, body, level, settings });
  if ("problems" in read) return read;
  const state = stateOf(read.task);
  const address = { path: document.path, slug: task.id };
  const { how } = request;
  const words = { toStart: how.toStart(address), toComplete: how.toComplete(address) };
  const problem = whyNoStatus(state, { was: stateOf(task), ...words });
  if (problem) return { problems: [problem] };
  const splices = [bodySplice(document, task, body)];
  if (title !== task.title) splices.push({ ...task.place.title, text: title });
  const isReset = state !== stateOf(task) || alone.task.fields.some(({ key }) => recordKeys.has(key));
  const warnings = [...read.warnings, ...verifyWarnings(task, read.task)];
  return { ...named, id: read.task.id, state, splices, warnings, isReset };
}

const recordKeys: ReadonlySet<string> = new Set(["started", "completed"]);

const noteAlone: Problem = {
  code: "TASK_OPERATION",
  message: "an edit takes a note only with a status",
  hint: "Leave the note to a call with the operation note.",
};

interface NewContent {
  readonly said: PlanTask;
  readonly status: "pending" | "blocked" | undefined;
  readonly mustPin: boolean;
}

/** The recorded lines that the new content does not mention. A reopened task belongs to nobody. */
function keptLines(text: Sliceable, task: PlanTask, { said, status, mustPin }: NewContent): string[] {
  const says = (key: string) => said.fields.some((field) => field.key === key);
  const isReopened = status !== undefined || (says("status") && stateOf(said) !== stateOf(task));
  const raw = (key: string) =>
    task.fields
      .filter((field) => field.key === key && !says(key))
      .flatMap(({ whole }) => unindented(text.slice(whole.start, whole.end), task.place.indent));
  const state = stateOf(task);
  const word = status ?? state;
  return [
    ...(mustPin && !says("id") ? [`- Id: ${task.id}`] : []),
    ...raw("id"),
    ...(says("status") ? [] : [`- Status: ${word}`]),
    ...(isReopened ? [] : [...raw("started"), ...raw("completed")]),
    ...raw("note"),
  ];
}

function unindented(lines: string, indent: string): string[] {
  return lines
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

/** Replaces everything below the title except the blank lines at the end. */
function bodySplice(text: Sliceable, { place, form }: PlanTask, body: string): Splice {
  const lineEnd = lineEndOf(text);
  const { below, whole, indent } = place;
  const end = whole.start + text.slice(whole.start, whole.end).trimEnd().length;
  const lines = body.split("\n").map((line) => (line === "" ? "" : `${indent}${line}`));
  const all = form === "heading" ? ["", ...lines] : lines;
  const hasBody = end > below;
  const opened = `${toNewLine(text, below, lineEnd)}${all.join(lineEnd)}`;
  return { start: below, end: Math.max(below, end), text: hasBody ? opened : `${opened}${lineEnd}` };
}
