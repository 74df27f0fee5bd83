/** Gives one task of a document to whoever asks, and records that they have it: of two who ask at once, one gets it. */

import type { Address } from "../document/address.ts";
import type { Document } from "../document/document.ts";
import type { Decision, Done } from "../document/store.ts";
import type { Task } from "../plan/plan.ts";
import type { Problem } from "../std/problem.ts";
import { howTo } from "./how-to.ts";
import { unknownWorkflows } from "./judge-tasks.ts";
import { type Asking, leaseOf } from "./lease.ts";
import { oneTask, whyNotOne } from "./one-task.ts";
import { recordTask } from "./record-task.ts";
import { taskDocument } from "./task-document.ts";
import { stampText } from "./task-record.ts";
import {
  type Assignment,
  assignmentOf,
  type Refused,
  refused,
  type Taken,
  type TaskRoom,
} from "./task-room.ts";
import type { Workflows } from "./workflows.ts";

export interface Starting {
  readonly address: Address & { readonly slug: string };
  readonly takeOver?: boolean | undefined;
}

/** A task of a document, by its slug. */
export async function startTask(
  room: TaskRoom,
  { address, takeOver }: Starting,
): Promise<Assignment | Refused> {
  const { store, author, workflows } = room;
  const how = howTo(author, address.path);
  const taken = await store.change<Taken | Refused>(author, (now) => {
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

export interface Taking extends Asking {
  readonly workflows: Workflows;
  readonly at: string;
}

/** What is to be written so that they have it: nothing when they have it already. */
export function takeTask(
  document: Document,
  task: Task,
  { workflows, at, ...asking }: Taking,
): Taken | { readonly problem: Problem } {
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

export function decisionOf(taken: Taken, tool: string): Decision<Taken> {
  const { document, task, splices } = taken;
  if (splices.length === 0) return { answer: taken };
  const { path } = document;
  const done: Done = {
    tool,
    about: `started #${task.id}`,
    tasks: [{ document: path, slug: task.id, status: "in_progress" }],
  };
  return { answer: taken, edits: [{ do: "splice", path, splices }], done };
}
