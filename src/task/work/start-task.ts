/** Hands one task of a document to the caller, and records that they have it. If two ask at once, only one gets it. */

import type { Address } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { ChangeSummary, StoreDecision } from "../../document/store.ts";
import type { PlanTask } from "../../plan/plan.ts";
import type { Problem } from "../../std/problem.ts";
import { howTo } from "../how-to.ts";
import { unknownWorkflows } from "../operation/judge-tasks.ts";
import { recordTask } from "../record/record-task.ts";
import { stampText } from "../record/task-record.ts";
import { type LeaseRequest, leaseOf } from "../session/lease.ts";
import {
  assignmentOf,
  type RefusedTask,
  refused,
  type TakenTask,
  type TaskAssignment,
  type TaskRoom,
} from "../task-room.ts";
import type { Workflows } from "../workflow/workflows.ts";
import { oneTask, whyNotOne } from "./one-task.ts";
import { taskDocument } from "./task-document.ts";

export interface StartTaskRequest {
  readonly address: Address & { readonly slug: string };
  readonly takeOver?: boolean | undefined;
}

/** Starts a task of a document, by its slug. */
export async function startTask(
  room: TaskRoom,
  { address, takeOver }: StartTaskRequest,
): Promise<TaskAssignment | RefusedTask> {
  const { store, author, workflows } = room;
  const how = howTo(author, address.path);
  const taken = await store.change<TakenTask | RefusedTask>(author, (now) => {
    const found = taskDocument(now, address.path, how);
    if ("problem" in found) return { answer: refused(found.problem) };
    const { document } = found;
    const named = oneTask(document, address.slug, how);
    if ("problem" in named) return { answer: refused(named.problem) };
    const took = takeTask(document, named.task, { author, how, takeOver, workflows, at: now.at });
    return "problem" in took ? { answer: refused(took.problem) } : decisionOf(took, how.start);
  });
  return "problems" in taken ? taken : assignmentOf(room, taken);
}

export interface TakeTaskOptions extends LeaseRequest {
  readonly workflows: Workflows;
  readonly at: string;
}

/** The splices that record the task as theirs; none if they already have it. */
export function takeTask(
  document: Document,
  task: PlanTask,
  { workflows, at, ...asking }: TakeTaskOptions,
): TakenTask | { readonly problem: Problem } {
  const problem = whyNotOne(document, task, asking.how);
  if (problem) return { problem };
  const lease = leaseOf(document, task, asking);
  if (lease.is === "refused") return { problem: lease.problem };
  const [unknown] = unknownWorkflows(workflows, {
    ...(task.workflow !== undefined && { workflow: task.workflow }),
  });
  if (unknown) return { problem: unknown };
  if (lease.is === "held") return { document, task, splices: [] };
  const started = stampText({ at, by: asking.author });
  const recorded = recordTask(document, task, { status: "in_progress", started });
  if ("problem" in recorded) return recorded;
  const now = recorded.document.tasks.find(task.id) ?? task;
  return { document: recorded.document, task: now, splices: recorded.splices };
}

export function decisionOf(taken: TakenTask, tool: string): StoreDecision<TakenTask> {
  const { document, task, splices } = taken;
  if (splices.length === 0) return { answer: taken };
  const { path } = document;
  const done: ChangeSummary = {
    tool,
    about: `started #${task.id}`,
    tasks: [{ document: path, slug: task.id, status: "in_progress" }],
  };
  return { answer: taken, edits: [{ do: "splice", path, splices }], done };
}
