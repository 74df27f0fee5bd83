/** What every rule about tasks is handed, and what it hands back. */

import { activeList } from "../document/address.ts";
import type { Document } from "../document/document.ts";
import { type LoadedReferences, loadReferences } from "../document/load-references.ts";
import type { Author, DocumentStore } from "../document/store.ts";
import type { Task } from "../plan/plan.ts";
import type { Splice } from "../plan/splice.ts";
import type { Problem } from "../std/problem.ts";
import type { SessionMemory } from "./session-memory.ts";
import { type TaskView, taskView } from "./task-view.ts";
import type { VerifyHere } from "./verify-here.ts";
import type { Workflow, Workflows } from "./workflows.ts";

export interface TaskRoom {
  readonly store: DocumentStore;
  readonly workflows: Workflows;
  readonly author: Author;
  readonly verify: VerifyHere;
  readonly signal: AbortSignal;
  /** Nothing where every request comes alone. */
  readonly session?: SessionMemory | undefined;
}

export interface Refused {
  readonly problems: readonly Problem[];
}

/** A task that somebody has. */
export interface Taken {
  /** As it is then. */
  readonly document: Document;
  readonly task: Task;
  /** None when they had it before. */
  readonly splices: readonly Splice[];
}

/** A task with all that is needed to do it. */
export interface Assignment {
  readonly task: TaskView;
  readonly workflow?: Workflow;
  readonly references: LoadedReferences;
  /** It was theirs before: since when and by whom says the task. */
  readonly isResumed: boolean;
}

export function assignmentOf({ store, workflows }: TaskRoom, { document, task, splices }: Taken): Assignment {
  const view = taskView(document, task);
  const found = task.workflow === undefined ? undefined : workflows.find("workflow", task.workflow);
  // Nobody refers back to the coordinator's list, which may be long.
  const from = document.path === activeList ? undefined : { path: document.path, slug: task.id };
  const { whole } = task.place;
  const text = document.slice(whole.start, whole.end);
  const mayRefer = text.includes("@/");
  return {
    task: view,
    ...(found && "workflow" in found && { workflow: found.workflow }),
    isResumed: splices.length === 0,
    references: mayRefer ? loadReferences(store, text, from ? { from } : {}) : noReferences,
  };
}

const noReferences: LoadedReferences = { loaded: [], missing: [], cycles: [], leftOut: [] };

export function refused(...problems: readonly Problem[]): Refused {
  return { problems };
}
