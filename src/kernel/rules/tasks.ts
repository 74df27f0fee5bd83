/** Tasks and their phases: the only place where a task changes phase, with everything that depends on it. */
import type { TaskId } from "../../plan/plan.ts";
import { assert } from "../../std/assert.ts";
import type { Finding } from "../event.ts";
import type { DeskState, MutableState, MutableTask, Phase, State, Task } from "../state.ts";

export function mutableTask(state: MutableState, id: TaskId): MutableTask {
  const task = state.tasks.get(id);
  assert(task, `the task ${id} is in the plan`);
  return task;
}

export function taskOf(state: State, id: TaskId): Task {
  const task = state.tasks.get(id);
  assert(task, `the task ${id} is in the plan`);
  return task;
}

export function enter(state: MutableState, task: MutableTask, phase: Phase): void {
  const { index } = state;
  const id = task.facts.task;
  index.counts[task.phase.name] -= 1;
  for (const set of [index.dueWork, index.dueAudits, index.verifying, index.reserving]) set.delete(id);
  index.ready.delete(task.rank);
  const wasOpen = isOpen(task.phase);
  task.phase = phase;
  task.since = state.seq;
  task.hasReservation &&= keepsReservation(phase);
  index.counts[phase.name] += 1;
  indexTask(state, task);
  if (wasOpen !== isOpen(phase)) countLevel(state, task.level, isOpen(phase) ? 1 : -1);
}

/** A person may take days, so a question ends the reservation. A confirmation keeps it: its work is already done. */
function keepsReservation(phase: Phase): boolean {
  if (phase.name === "held") return phase.resumes === "collect";
  return phase.name === "working" || phase.name === "auditing" || phase.name === "integrating";
}

/** Adds a task to the sets that its phase belongs to. */
export function indexTask(
  { index }: MutableState,
  { facts, phase, rank, hasReservation }: MutableTask,
): void {
  const id = facts.task;
  if (phase.name === "ready") index.ready.add(rank);
  if (hasReservation) index.reserving.add(id);
  if (phase.name === "working" && phase.step === "due") index.dueWork.add(id);
  if (phase.name === "auditing" && phase.step === "due") index.dueAudits.add(id);
  if (phase.name === "auditing" && phase.step === "verify") index.verifying.add(id);
}

/** Whether the task still counts as unfinished in its level. */
export function isOpen({ name }: Phase): boolean {
  return name !== "done";
}

export function countLevel({ index }: MutableState, level: number, by: 1 | -1): void {
  index.openByLevel[level] = (index.openByLevel[level] ?? 0) + by;
  if (by === 1) index.level = Math.min(index.level, level);
  while (index.level < index.openByLevel.length && index.openByLevel[index.level] === 0) index.level += 1;
}

/** The task is complete: dependents that waited for nothing else may begin. */
export function freeDependents(state: MutableState, task: MutableTask): void {
  for (const id of task.dependents) {
    const dependent = mutableTask(state, id);
    dependent.unmet -= 1;
    if (dependent.unmet === 0 && dependent.phase.name === "waiting")
      enter(state, dependent, { name: "ready" });
  }
}

/** The task is no longer complete: its dependents may not begin. */
export function bindDependents(state: MutableState, task: MutableTask): void {
  for (const id of task.dependents) {
    const dependent = mutableTask(state, id);
    dependent.unmet += 1;
    if (dependent.phase.name === "ready") enter(state, dependent, { name: "waiting" });
  }
}

/** The phase of a task that nothing has been done for. */
export function restingPhase(task: MutableTask): Phase {
  return task.unmet === 0 ? { name: "ready" } : { name: "waiting" };
}

/** Sends the task back to work for another round. */
export function anotherRound(
  state: MutableState,
  task: MutableTask,
  { feedback, desk }: { feedback: readonly Finding[]; desk?: DeskState | undefined },
): void {
  task.turnsOfAttempt = 0;
  task.auditTurnsOfAttempt = 0;
  task.counts.repliesRefused = 0;
  task.counts.auditTurnsLost = 0;
  task.feedback = feedback;
  if (desk) task.desk = desk;
  else if (task.desk) {
    // Work of an earlier round may lack what was integrated since, and would revert it.
    const tree = task.work?.attempt === task.attempt ? task.work.tree : task.desk.tree;
    task.desk = { ...task.desk, tree, keep: true };
  }
  task.attempt += 1;
  enter(state, task, { name: "working", step: "due" });
}
