/**
 * Selects who is dispatched next: an audit that is due, then work that was already begun, then the first ready task
 * that may run beside what is under way, unless too much finished work waits; each only if an agent is available for it.
 * The order of the ready tasks was computed once; here it is only walked.
 */
import { findOverlaps } from "../../../plan/check/overlap.ts";
import type { TaskId } from "../../../plan/plan.ts";
import type { Role } from "../../event.ts";
import type { State, Task } from "../../state.ts";
import { agentFor, isNobodyLeft, outFor, waitsForRest } from "../agent/agent-for.ts";
import { taskOf } from "../tasks.ts";
import { isAtWork } from "./turns.ts";

export interface Selection {
  readonly task: TaskId;
  readonly role: Role;
  readonly agent: string;
}

/** Undefined if every slot is taken, no task may begin, or no agent is available. */
export function selectNext(state: State): Selection | undefined {
  if (freeSlots(state) <= 0) return undefined;
  const isAvailable = (task: Task, role: Role) => agentFor(state, task, role) !== undefined;
  const found = firstDue(state, isAvailable, { areReadyLeftOut: isBackedUp(state) });
  const agent = found && agentFor(state, found.task, found.role);
  return agent === undefined || !found ? undefined : { task: found.task.facts.task, role: found.role, agent };
}

/** Whether something could begin if every agent were available. */
export function isAnyDue(state: State): boolean {
  return firstDue(state, () => true) !== undefined;
}

/** Whether something can begin as soon as a rest ends. */
export function isRestAwaited(state: State): boolean {
  const { availability, accounts } = state;
  if (![...availability.values(), ...accounts.values()].some(({ rest }) => rest)) return false;
  return firstDue(state, (task, role) => waitsForRest(state, task, role)) !== undefined;
}

/** A task that no agent is left for, unless an open question is already about one of its agents. */
export function firstTaskWithoutAgent(state: State): Task | undefined {
  const isAnybodyOut = [...state.availability.values()].some(({ out }) => out);
  const asked = new Set(
    [...state.index.askedForAgents].flatMap((id) => state.questions.get(id)?.agents ?? []),
  );
  const isAlone = (task: Task, role: Role) =>
    (isAnybodyOut || task.unfitAgents.length > 0 || role === "auditor") &&
    isNobodyLeft(state, task, role) &&
    !outFor(state, task, role).some((agent) => asked.has(agent));
  return firstDue(state, isAlone, { areReadyLeftOut: !isAnybodyOut })?.task;
}

export function freeSlots(state: State): number {
  return (state.run?.settings.active_developers ?? 0) - state.turns.size;
}

/**
 * Finished work comes first: while more of it waits than agents may work at once, no new task begins. Otherwise quick
 * agents would start many tasks from a base that grows older with each of them.
 */
export function isBackedUp(state: State): boolean {
  return finishedWork(state) > (state.run?.settings.active_developers ?? 0);
}

/** How many tasks have finished work that waits to be verified, or for the branch. */
export function finishedWork({ index }: State): number {
  return index.verifying.size + index.counts.integrating;
}

interface Due {
  readonly task: Task;
  readonly role: Role;
}

type IsWanted = (task: Task, role: Role) => boolean;

/** `isWanted` is checked first, because it costs less than checking what other tasks have reserved. */
function firstDue(state: State, isWanted: IsWanted, { areReadyLeftOut = false } = {}): Due | undefined {
  const { dueAudits, dueWork } = state.index;
  for (const [ids, role] of [
    [dueAudits, "auditor"],
    [dueWork, "developer"],
  ] as const)
    for (const id of ids) {
      const task = taskOf(state, id);
      if (isWanted(task, role) && mayGoOn(state, task)) return { task, role };
    }
  const ready = areReadyLeftOut ? undefined : firstReady(state, isWanted);
  return ready && { task: ready, role: "developer" };
}

/** Work that depends on a task being rolled back does not continue. */
function mayGoOn(state: State, task: Task): boolean {
  if (task.unmet > 0 || isAtWork(state, task.facts.task)) return false;
  return task.hasReservation || reservedBy(state, task) === undefined;
}

/**
 * Skips only unwanted tasks and those that declare what another task has reserved, so the cost is the same in any plan.
 */
function firstReady(state: State, isWanted: IsWanted): Task | undefined {
  const { ready, byRank, level } = state.index;
  const byLevel = state.run?.settings.schedule === "levels";
  for (let rank = ready.next(0); rank !== undefined; rank = ready.next(rank + 1)) {
    const task = byRank[rank];
    if (!task || (byLevel && task.level > level)) return undefined;
    if (!isWanted(task, "developer") || isAtWork(state, task.facts.task)) continue;
    if (reservedBy(state, task) === undefined) return task;
  }
  return undefined;
}

/** The task that has reserved a file or resource that this one declares too. */
export function reservedBy(state: State, task: Task): TaskId | undefined {
  const { writes, shares } = task.facts;
  if (writes.length === 0 && shares.length === 0) return undefined;
  for (const id of holders(state)) {
    if (id === task.facts.task) continue;
    const other = taskOf(state, id).facts;
    if (shares.some((name) => other.shares.includes(name))) return id;
    if (meet(writes, other.writes)) return id;
  }
  return undefined;
}

/** Includes tasks whose agent is being ended: until it is gone, it may still use what they share. */
function* holders({ index, turns }: State): Iterable<TaskId> {
  yield* index.reserving;
  for (const { task } of turns.values()) if (!index.reserving.has(task)) yield task;
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  const declared = [
    ...one.map((pattern) => ({ owner: 0, pattern })),
    ...other.map((pattern) => ({ owner: 1, pattern })),
  ];
  return findOverlaps(declared, 1).length > 0;
}
