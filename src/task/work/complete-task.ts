/**
 * Completes one task of a document, recording a note and who completed it. A task with verify commands is verified
 * first, and is not completed if that fails.
 */

import type { Address } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Author, Library } from "../../document/store.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type HowTo, howTo } from "../how-to.ts";
import { whyNoNote } from "../record/note.ts";
import { type RecordResult, recordTask } from "../record/record-task.ts";
import { stampText, stateOf, verifiedMark } from "../record/task-record.ts";
import { leaseOf } from "../session/lease.ts";
import { type RefusedTask, refused, type TaskRoom } from "../task-room.ts";
import { type TaskView, taskView } from "../task-view.ts";
import { oneTask } from "./one-task.ts";
import { taskDocument } from "./task-document.ts";
import { isSameVerify, verifyTask } from "./verify-here.ts";

export interface CompleteTaskRequest {
  readonly address: Address & { readonly slug: string };
  readonly note: string;
}

export interface CompletedTask {
  readonly task: TaskView;
  /** It was already completed, and nothing was changed. */
  readonly wasCompleted: boolean;
}

export async function completeTask(
  room: TaskRoom,
  { address, note }: CompleteTaskRequest,
): Promise<CompletedTask | RefusedTask> {
  const { store, author } = room;
  const how = howTo(author, address.path);
  const problem = whyNoNote(note);
  if (problem) return refused(problem);
  const seen = look(store, { address, author, how });
  if ("problems" in seen) return seen;
  const { verify } = seen.task;
  const isDue = stateOf(seen.task) !== "completed" && verify.length > 0;
  const failure = isDue && (await verifyTask({ ...address, commands: verify }, room));
  if (failure) return refused(failure);
  return store.change<CompletedTask | RefusedTask>(author, (now) => {
    const found = look(now, { address, author, how });
    if ("problems" in found) return { answer: found };
    const { document, task } = found;
    if (stateOf(task) === "completed") {
      return { answer: { task: taskView(document, task), wasCompleted: true } };
    }
    const recorded = recordCompletion(document, task, { note, at: now.at, author, verified: verify });
    if ("problem" in recorded) return { answer: refused(recorded.problem) };
    const { path } = document;
    const completed = recorded.document.tasks.find(task.id) ?? task;
    return {
      answer: { task: taskView(recorded.document, completed), wasCompleted: false },
      edits: [{ do: "splice", path, splices: recorded.splices }],
      done: {
        tool: how.complete,
        about: `completed #${task.id}`,
        tasks: [{ document: path, slug: task.id, status: "completed" }],
      },
    };
  });
}

export interface Completion {
  readonly note: string;
  readonly at: string;
  readonly author: Author;
  /** The commands that were run for it and passed. */
  readonly verified: readonly string[];
}

export function recordCompletion(
  document: Document,
  task: PlanTask,
  { note, at, author, verified }: Completion,
): RecordResult {
  if (!isSameVerify(task.verify, verified)) return { problem: verifyChanged(task.id) };
  const mark = task.verify.length > 0 ? verifiedMark : "";
  const completed = `${stampText({ at, by: author })}${mark}`;
  return recordTask(document, task, { status: "completed", completed, note });
}

function verifyChanged(slug: string): Problem {
  return {
    code: "VERIFY_CHANGED",
    message: `the verify commands of #${oneLine(slug, 100)} were changed while they were run; it is not completed`,
    hint: "Complete it again.",
  };
}

interface LookupInput {
  readonly address: Address & { readonly slug: string };
  readonly author: Author;
  readonly how: HowTo;
}

/** Finds the task if the author may complete it. A completed task belongs to nobody. */
function look(
  library: Library,
  { address, author, how }: LookupInput,
): { readonly document: Document; readonly task: PlanTask } | RefusedTask {
  const found = taskDocument(library, address.path, how);
  if ("problem" in found) return refused(found.problem);
  const { document } = found;
  const named = oneTask(document, address.slug, how);
  if ("problem" in named) return refused(named.problem);
  const { task } = named;
  if (stateOf(task) === "completed") return { document, task };
  const lease = leaseOf(document, task, { author, how });
  return lease.is === "refused" ? refused(lease.problem) : { document, task };
}
