/**
 * The state of a task, and what its document records about it: who has it in progress since when, when it was completed
 * and whether we verified that ourselves, and its notes.
 */

import type { Author } from "../../document/store.ts";
import type { ListedTask } from "../../document/task-list.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { fieldValue } from "../../plan/read/field-values.ts";
import type { Sliceable } from "../../std/sliceable.ts";
import { readNotes } from "./note.ts";

export const taskStates = ["pending", "in_progress", "blocked", "failed", "completed"] as const;
export type TaskState = (typeof taskStates)[number];

export function stateOf({ isDone, status }: Pick<ListedTask, "isDone" | "status">): TaskState {
  if (isDone) return "completed";
  switch (status) {
    case "in-progress":
    case "working":
    case "completion-drive-review":
    case "ready-for-verification":
      return "in_progress";
    case "blocked":
    case "failed":
      return status;
    default:
      return "pending";
  }
}

export interface TaskRecord {
  readonly started?: Stamp;
  readonly completed?: Stamp & { readonly isVerified: boolean };
  readonly notes: readonly string[];
}

/** When, and by whom if known. */
export interface Stamp {
  readonly at: string;
  readonly by?: string;
}

export function recordOf(text: Sliceable, { fields }: PlanTask): TaskRecord {
  const started = stampIn(text, fields, "started");
  const completed = stampIn(text, fields, "completed");
  return {
    ...(started && { started: { at: started.at, ...(started.by !== undefined && { by: started.by }) } }),
    ...(completed && { completed }),
    notes: readNotes(text, fields),
  };
}

/** `2026-10-14T15:30:45Z by claude-code 2.1.325`. */
export function stampText({ at, by }: { readonly at: string; readonly by: Author }): string {
  return `${at.replace(/\.\d+Z$/, "Z")} by ${authorNameOf(by)}`;
}

export const verifiedMark = " (verified)";

/** A client chooses its own name, so make it fit into a line of a document and into our grammar. */
export function authorNameOf({ name }: Author): string {
  const plain = name
    .replace(/[^\p{L}\p{N} ._@+-]+/gu, " ")
    .replace(/ +/g, " ")
    .trim();
  return plain.slice(0, 60).trim() || "somebody";
}

/** A client that was updated in between is still the same. */
export function isSameName(one: string, other: string): boolean {
  return withoutVersion(one) === withoutVersion(other);
}

function withoutVersion(name: string): string {
  return name.replace(/ v?\d[\w.+-]*$/, "").toLowerCase();
}

function stampIn(text: Sliceable, fields: PlanTask["fields"], key: string) {
  const field = fields.find((one) => one.key === key);
  const value = field && fieldValue(text, field.value);
  if (!value) return undefined;
  const isVerified = value.endsWith(verifiedMark);
  const [at = "", by] = (isVerified ? value.slice(0, -verifiedMark.length) : value).split(/ by (.*)/, 2);
  return { at, ...(by !== undefined && { by }), isVerified };
}
