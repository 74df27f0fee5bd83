/** A task as shown to the caller, and compact lists of tasks. */

import { addressText } from "../document/address.ts";
import type { Document } from "../document/document.ts";
import type { PlanTask } from "../plan/plan.ts";
import { recordOf, stateOf, type TaskState } from "./record/task-record.ts";

export interface TaskSummary {
  readonly slug: string;
  readonly title: string;
  readonly status: TaskState;
  /** Who has it in progress, or completed it. */
  readonly by?: string;
  readonly since?: string;
  readonly completed?: string;
  /** For a completed task: whether we verified it ourselves; otherwise it is only a claim. */
  readonly verified?: boolean;
  /** How many tasks of the document have this slug, if more than one. */
  readonly same_slug?: number;
}

export interface TaskView extends TaskSummary {
  /** `/api/auth.md#slug`. */
  readonly document: string;
  /** Everything below its title, as written. */
  readonly content: string;
  readonly notes?: readonly string[];
}

function taskRow(document: Document, task: PlanTask): TaskSummary {
  const { started, completed } = recordOf(document, task);
  const status = stateOf(task);
  const row = { slug: task.id, title: task.title, status };
  if (status === "completed") {
    return {
      ...row,
      ...(completed?.by !== undefined && { by: completed.by }),
      ...(completed && { completed: completed.at }),
      verified: completed?.isVerified ?? false,
    };
  }
  if (status !== "in_progress" || !started) return row;
  return { ...row, ...(started.by !== undefined && { by: started.by }), since: started.at };
}

export function taskView(document: Document, task: PlanTask): TaskView {
  const { path } = document;
  const { below, whole } = task.place;
  const { notes } = recordOf(document, task);
  return {
    document: addressText({ path, slug: task.id }),
    ...taskRow(document, task),
    content: document
      .slice(below, whole.end)
      .replace(/^(?:[ \t]*\r?\n)+/, "")
      .trimEnd(),
    ...(notes.length > 0 && { notes }),
  };
}

/** More than anybody reads at once; the counts cover all tasks. */
const rowsMax = 500;

export interface TaskRows {
  readonly tasks: readonly TaskSummary[];
  readonly counts: Readonly<Partial<Record<TaskState, number>>>;
  /** How many rows were left out at the end. */
  readonly left_off?: number;
}

export function taskRows(document: Document): TaskRows {
  const { tasks } = document;
  const counts: Partial<Record<TaskState, number>> = {};
  for (const facts of tasks.facts()) counts[stateOf(facts)] = (counts[stateOf(facts)] ?? 0) + 1;
  const rows: TaskSummary[] = [];
  const isClear = new Set(Array.from(tasks.facts(), ({ id }) => id)).size === tasks.size;
  for (let at = 0; at < Math.min(rowsMax, tasks.size); at += 1) {
    const task = tasks.at(at);
    const same = isClear || !task ? 1 : tasks.all(task.id).length;
    if (task) rows.push({ ...taskRow(document, task), ...(same > 1 && { same_slug: same }) });
  }
  const left = tasks.size - rows.length;
  return { tasks: rows, counts, ...(left > 0 && { left_off: left }) };
}
