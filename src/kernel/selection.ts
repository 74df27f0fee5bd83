/**
 * Who is dispatched next: an audit that is due, then work that was begun, then the first of the ready ones that may run
 * beside what is under way. The order of the ready ones was computed once; here it is only walked.
 */
import { findOverlaps } from "../plan/overlap.ts";
import type { TaskId } from "../plan/plan.ts";
import type { Role } from "./event.ts";
import type { State, Task } from "./state.ts";
import { known } from "./tasks.ts";
import { isAtWork } from "./turns.ts";

export interface Selection {
  readonly task: TaskId;
  readonly role: Role;
}

/** Nothing when every slot is taken or nobody may begin. */
export function selectNext(state: State): Selection | undefined {
  if (freeSlots(state) <= 0) return undefined;
  for (const task of state.index.dueAudits) if (mayGoOn(state, task)) return { task, role: "auditor" };
  for (const task of state.index.dueWork) if (mayGoOn(state, task)) return { task, role: "developer" };
  const ready = firstReady(state);
  return ready && { task: ready.facts.task, role: "developer" };
}

export function freeSlots(state: State): number {
  return (state.run?.settings.active_developers ?? 0) - state.turns.size;
}

/** Nobody goes on with what stands on a task that is being taken back. */
function mayGoOn(state: State, id: TaskId): boolean {
  const task = known(state, id);
  if (task.unmet > 0 || isAtWork(state, id)) return false;
  return task.hasClaims || claimant(state, task) === undefined;
}

/** What is walked over is what declares the same as somebody at work; all else costs the same in any plan. */
function firstReady(state: State): Task | undefined {
  const { ready, byRank, level } = state.index;
  const byLevel = state.run?.settings.schedule === "levels";
  for (let rank = ready.next(0); rank !== undefined; rank = ready.next(rank + 1)) {
    const task = byRank[rank];
    if (!task || (byLevel && task.level > level)) return undefined;
    if (claimant(state, task) === undefined && !isAtWork(state, task.facts.task)) return task;
  }
  return undefined;
}

/** A task that holds a file or a resource which this one declares too. */
export function claimant(state: State, task: Task): TaskId | undefined {
  const { writes, shares } = task.facts;
  if (writes.length === 0 && shares.length === 0) return undefined;
  for (const id of holders(state)) {
    if (id === task.facts.task) continue;
    const other = known(state, id).facts;
    if (shares.some((name) => other.shares.includes(name))) return id;
    if (meet(writes, other.writes)) return id;
  }
  return undefined;
}

/** Also those whose agent is being ended: until it is gone it may still be using what they share. */
function* holders({ index, turns }: State): Iterable<TaskId> {
  yield* index.claiming;
  for (const { task } of turns.values()) if (!index.claiming.has(task)) yield task;
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const claims = [
    ...one.map((pattern) => ({ owner: 0, pattern })),
    ...other.map((pattern) => ({ owner: 1, pattern })),
  ];
  return findOverlaps(claims, 1).length > 0;
}
