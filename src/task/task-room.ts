/** What every task rule takes, and what it returns. */

import { activeList } from "../document/address.ts";
import type { Document } from "../document/document.ts";
import { type LoadedReferences, loadReferences } from "../document/link/load-references.ts";
import type { Author, DocumentStore } from "../document/store.ts";
import type { Splice } from "../plan/edit/splice.ts";
import type { PlanTask } from "../plan/plan.ts";
import type { Problem } from "../std/problem.ts";
import type { SessionMemory } from "./session/session-memory.ts";
import { type TaskView, taskView } from "./task-view.ts";
import type { VerifyHere } from "./work/verify-here.ts";
import type { Workflow, Workflows } from "./workflow/workflows.ts";

export interface TaskRoom {
  readonly store: DocumentStore;
  readonly workflows: Workflows;
  readonly author: Author;
  readonly verify: VerifyHere;
  readonly signal: AbortSignal;
  /** Missing if requests have no session in common. */
  readonly session?: SessionMemory | undefined;
}

export interface RefusedTask {
  readonly problems: readonly Problem[];
}

/** A task that the caller now has. */
export interface TakenTask {
  /** The document afterwards. */
  readonly document: Document;
  readonly task: PlanTask;
  /** Empty if they already had it. */
  readonly splices: readonly Splice[];
}

/** A task with everything needed to do it. */
export interface TaskAssignment {
  readonly task: TaskView;
  readonly workflow?: Workflow;
  readonly references: LoadedReferences;
  /** They already had it; the task says since when and who. */
  readonly isResumed: boolean;
}

export function assignmentOf(
  { store, workflows }: TaskRoom,
  { document, task, splices }: TakenTask,
): TaskAssignment {
  const view = taskView(document, task);
  const found = task.workflow === undefined ? undefined : workflows.find("workflow", task.workflow);
  // Nothing refers back to the coordinator's list, which may be long.
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

export function refused(...problems: readonly Problem[]): RefusedTask {
  return { problems };
}
