/**
 * Taking back: a revert on top of everything, never a rewrite of history. Whoever depends on a task goes first, and
 * whoever is at work on top of it stops.
 */
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import { dequeue } from "./audits.ts";
import type { Admitted, Door, Outcome } from "./command.ts";
import type { Event, Events } from "./event.ts";
import { withdrawn } from "./questions.ts";
import type { OwnState, RollbackStep, State, Task } from "./state.ts";
import { atRest, bindDependents, enter, freeDependents, known, own } from "./tasks.ts";
import { unwant } from "./turns.ts";

export function admitRollback(
  state: State,
  { task: id, cascade, by }: Extract<Door, { command: "rollback" }>,
): Admitted {
  const task = known(state, id);
  if (task.phase.name !== "verified")
    return { refused: "illegal-transition", task: id, from: task.phase.name, to: "pending" };
  if (!task.phase.commit)
    return [{ event: "rollback_failed", data: { task: id, reason: "no_commit_recorded" } }];
  if (isBranchBusy(state)) return { refused: "not-possible-now", why: "a commit is being put on the branch" };
  const below = dependentsOf(state, task);
  const complete = below.filter((one) => one.phase.name === "verified" && one.phase.commit);
  if (complete.length > 0 && !cascade) {
    const dependents = complete.map(({ facts }) => facts.task);
    return [
      { event: "rollback_blocked", data: { task: id, reason: "dependent_tasks_completed", dependents } },
    ];
  }
  const tasks = [...complete, task].sort((one, other) => committed(other) - committed(one));
  return [
    { event: "rollback_requested", data: { tasks: tasks.map(({ facts }) => facts.task), by } },
    ...below.filter(isUnderWay).flatMap((one) => aborted(state, one, id)),
  ];
}

/** From here to the next record the branch may be moving. */
function isBranchBusy(state: State): boolean {
  const [first] = state.queue;
  if (!first) return false;
  if (first.of === "rollback") return true;
  const { phase } = known(state, first.task);
  return phase.name === "integrating" && (phase.step.name === "seal" || phase.step.name === "advance");
}

function committed({ phase }: Task): number {
  return phase.name === "verified" ? (phase.commit?.at ?? 0) : 0;
}

/** Everybody who depends on it, through others too. */
export function dependentsOf(state: State, task: Task): Task[] {
  const seen = new Set<TaskId>();
  const found: Task[] = [];
  const queue = [...task.dependents];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const dependent = known(state, id);
    found.push(dependent);
    queue.push(...dependent.dependents);
  }
  return found;
}

function isUnderWay({ phase: { name } }: Task): boolean {
  return name === "working" || name === "auditing" || name === "integrating" || name === "held";
}

function aborted(state: State, { facts }: Task, because: TaskId): Event[] {
  const reason = `it depends on ${because}, which is taken back`;
  return [
    ...withdrawn(state, facts.task, reason),
    { event: "task_aborted", data: { task: facts.task, reason } },
  ];
}

export function admitReverted(
  state: State,
  { task: id, onto, result }: Extract<Outcome, { command: "reverted" }>,
): Admitted {
  const [first] = state.queue;
  const isAwaited =
    first?.of === "rollback" && first.task === id && first.step.name === "revert" && onto === state.tip;
  if (!isAwaited) return { refused: "stale", key: `revert:${id}` };
  const { phase } = known(state, id);
  assert(phase.name === "reverting", "a task whose rollback is queued is being reverted");
  if (result.kind === "conflict") {
    const later = laterTasks(state, phase.commit.at, result.paths);
    const names = later.length > 0 ? ` (changed by ${later.join(", ")})` : "";
    const reason = `later changes stand in the way: ${result.paths.join(", ")}${names}`;
    return [{ event: "rollback_failed", data: { task: id, reason } }];
  }
  const { tree, commit } = result;
  const data = { task: id, reverts: phase.commit.sha, parent: onto, tree, commit };
  return [{ event: "rollback_prepared", data }];
}

/** Those that changed one of these files since. */
export function laterTasks(state: State, since: number, paths: readonly string[]): TaskId[] {
  const wanted = new Set(paths);
  const later: TaskId[] = [];
  for (const { facts, phase } of state.tasks.values())
    if (phase.name === "verified" && phase.commit && phase.commit.at > since)
      if (phase.commit.files.some((file) => wanted.has(file))) later.push(facts.task);
  return later;
}

export function onRollbackRequested(state: OwnState, { tasks }: Events["rollback_requested"]): void {
  for (const id of tasks) {
    const task = own(state, id);
    assert(task.phase.name === "verified" && task.phase.commit, "only what has a commit is taken back");
    enter(state, task, { name: "reverting", commit: task.phase.commit });
    bindDependents(state, task);
  }
  state.queue.unshift(...tasks.map((task) => ({ of: "rollback", task, step: { name: "revert" } }) as const));
  state.finalVerify = undefined;
  if (state.status.name === "finished") state.status = { name: "stopped" };
}

export function onAborted(state: OwnState, { task: id, reason }: Events["task_aborted"]): void {
  const task = own(state, id);
  unwant(state, task, reason);
  dequeue(state, id);
  beginAnew(task);
  enter(state, task, atRest(task));
}

/** As if nobody had worked at it; what was counted and said stays. */
function beginAnew(task: ReturnType<typeof own>): void {
  task.attempt += 1;
  task.turnsOfAttempt = 0;
  task.auditTurnsOfAttempt = 0;
  task.counts = { ...task.counts, repliesRefused: 0, turnsLost: 0, auditTurnsLost: 0, roundsFailed: 0 };
  task.desk = undefined;
  task.work = undefined;
  task.feedback = [];
}

export function onRollbackPrepared(
  state: OwnState,
  { parent, tree, commit }: Events["rollback_prepared"],
): void {
  setStep(state, { name: "advance", onto: parent, tree, commit });
}

export function onRolledBack(state: OwnState, { task: id, to_sha }: Events["task_rolled_back"]): void {
  const [first] = state.queue;
  assert(first?.of === "rollback" && first.step.name === "advance", "a rollback was being put on the branch");
  const { tree } = first.step;
  state.tip = to_sha;
  state.tipTree = tree;
  const task = own(state, id);
  beginAnew(task);
  enter(state, task, atRest(task));
  // What comes next in the same request changes the tree again: only the last one is worth verifying.
  const isLast = state.queue[1]?.of !== "rollback";
  if (isLast && (state.run?.settings.verify.length ?? 0) > 0) setStep(state, { name: "verify", tree });
  else state.queue.shift();
}

/** Nothing more of the request is done: what it would have taken back stays as it is. */
export function onRollbackFailed(state: OwnState): void {
  for (const work of state.queue) {
    if (work.of !== "rollback") continue;
    const task = own(state, work.task);
    if (task.phase.name !== "reverting") continue;
    enter(state, task, { name: "verified", commit: task.phase.commit });
    freeDependents(state, task);
  }
  state.queue = state.queue.filter(({ of }) => of !== "rollback");
}

function setStep(state: OwnState, step: RollbackStep): void {
  const [first] = state.queue;
  assert(first?.of === "rollback", "a rollback is first in the queue");
  state.queue[0] = { ...first, step };
}
