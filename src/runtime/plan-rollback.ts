/**
 * Works out what a rollback would do, before anybody approves it: which commits are reverted, in which order, which tasks
 * must stop, and whether the reverts merge cleanly with later work. It writes nothing but git objects.
 */
import type { Repository } from "../git/repository.ts";
import { admit } from "../kernel/admit.ts";
import type { Refusal } from "../kernel/command.ts";
import type { DecisionMaker } from "../kernel/decision-maker.ts";
import type { Event, EventName, EventOf } from "../kernel/event.ts";
import { laterTasks, underWayOn } from "../kernel/rules/branch/rollback.ts";
import { taskOf } from "../kernel/rules/tasks.ts";
import type { State } from "../kernel/state.ts";
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import type { CommitId } from "../std/object-id.ts";

export type RollbackPlan =
  | { readonly kind: "not-admitted"; readonly refusal: Refusal }
  /** The task has no commit: it was done before the run started, or is not complete. */
  | { readonly kind: "no-commit"; readonly wasDoneBefore: boolean }
  /** Completed tasks depend on it, and their rollback was not requested. */
  | { readonly kind: "blocked"; readonly dependents: readonly TaskId[] }
  | {
      readonly kind: "conflict";
      readonly task: TaskId;
      readonly paths: readonly string[];
      /** Tasks that changed the same files later. */
      readonly later: readonly TaskId[];
    }
  | { readonly kind: "possible"; readonly reverts: readonly Revert[]; readonly aborted: readonly TaskId[] };

export interface Revert {
  readonly task: TaskId;
  readonly title: string;
  readonly commit: CommitId;
  readonly files: readonly string[];
}

export interface RollbackRequest {
  readonly task: TaskId;
  readonly cascade: boolean;
  readonly by: DecisionMaker;
}

export async function planRollback(
  state: State,
  repository: Repository,
  request: RollbackRequest,
): Promise<RollbackPlan> {
  const admitted = admit(state, { command: "rollback", ...request });
  if ("refused" in admitted) return { kind: "not-admitted", refusal: admitted };
  const [blocked] = eventsOf(admitted, "rollback_blocked");
  if (blocked) return { kind: "blocked", dependents: blocked.data.dependents };
  const [requested] = eventsOf(admitted, "rollback_requested");
  if (!requested)
    return { kind: "no-commit", wasDoneBefore: taskOf(state, request.task).phase.name === "done" };
  const reverts = requested.data.tasks.map((id) => revertOf(state, id));
  const conflict = await firstConflict(state, repository, reverts);
  if (conflict) return conflict;
  const aborted = underWayOn(state, taskOf(state, request.task)).map(({ facts }) => facts.task);
  return { kind: "possible", reverts, aborted };
}

function eventsOf<Name extends EventName>(events: readonly Event[], name: Name): EventOf<Name>[] {
  return events.filter(({ event }) => event === name) as unknown as EventOf<Name>[];
}

function commitOf(state: State, id: TaskId) {
  const { phase } = taskOf(state, id);
  assert(phase.name === "done" && phase.commit, "only what has a commit is taken back");
  return phase.commit;
}

function revertOf(state: State, task: TaskId): Revert {
  const { sha, files } = commitOf(state, task);
  return { task, title: taskOf(state, task).facts.title, commit: sha, files };
}

async function firstConflict(
  state: State,
  repository: Repository,
  reverts: readonly Revert[],
): Promise<Extract<RollbackPlan, { kind: "conflict" }> | undefined> {
  let ours = await repository.treeOf(state.tip);
  const gone = new Set<TaskId>();
  for (const { task } of reverts) {
    const { sha, parent } = commitOf(state, task);
    const base = await repository.treeOf(sha);
    const theirs = await repository.treeOf(parent);
    const merged = await repository.merge({ base, ours, theirs });
    gone.add(task);
    if (merged.kind === "conflict") {
      const later = laterTasks(state, taskOf(state, task), merged.paths).filter((id) => !gone.has(id));
      return { kind: "conflict", task, paths: merged.paths, later };
    }
    ours = merged.tree;
  }
  return undefined;
}
