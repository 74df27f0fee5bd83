/** Tasks and their phases: the one place where a task goes from one phase to another, with all that hangs on it. */
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import type { Told } from "./event.ts";
import type { DeskWish, OwnState, OwnTask, Phase, State, Task } from "./state.ts";

export function own(state: OwnState, id: TaskId): OwnTask {
  const task = state.tasks.get(id);
  assert(task, `the task ${id} is in the plan`);
  return task;
}

export function known(state: State, id: TaskId): Task {
  const task = state.tasks.get(id);
  assert(task, `the task ${id} is in the plan`);
  return task;
}

export function enter(state: OwnState, task: OwnTask, phase: Phase): void {
  const { index } = state;
  const id = task.facts.task;
  index.counts[task.phase.name] -= 1;
  for (const set of [index.dueWork, index.dueAudits, index.verifying, index.claiming]) set.delete(id);
  index.ready.delete(task.rank);
  const wasOpen = isOpen(task.phase);
  task.phase = phase;
  task.since = state.seq;
  task.hasClaims &&= keepsClaims(phase);
  index.counts[phase.name] += 1;
  indexTask(state, task);
  if (wasOpen !== isOpen(phase)) countLevel(state, task.level, isOpen(phase) ? 1 : -1);
}

/** A person may take days, so a question gives the claims up. A confirmation keeps them: its work is done already. */
function keepsClaims(phase: Phase): boolean {
  if (phase.name === "held") return phase.resumes === "collect";
  return phase.name === "working" || phase.name === "auditing" || phase.name === "integrating";
}

/** Puts a task into the sets that its phase belongs to. */
export function indexTask({ index }: OwnState, { facts, phase, rank, hasClaims }: OwnTask): void {
  const id = facts.task;
  if (phase.name === "ready") index.ready.add(rank);
  if (hasClaims) index.claiming.add(id);
  if (phase.name === "working" && phase.step === "due") index.dueWork.add(id);
  if (phase.name === "auditing" && phase.step === "due") index.dueAudits.add(id);
  if (phase.name === "auditing" && phase.step === "verify") index.verifying.add(id);
}

/** Not there yet, for whoever counts what is left of a level. */
export function isOpen({ name }: Phase): boolean {
  return name !== "verified";
}

export function countLevel({ index }: OwnState, level: number, by: 1 | -1): void {
  index.openByLevel[level] = (index.openByLevel[level] ?? 0) + by;
  if (by === 1) index.level = Math.min(index.level, level);
  while (index.level < index.openByLevel.length && index.openByLevel[index.level] === 0) index.level += 1;
}

/** It is complete: whoever waited for nothing else may begin. */
export function freeDependents(state: OwnState, task: OwnTask): void {
  for (const id of task.dependents) {
    const dependent = own(state, id);
    dependent.unmet -= 1;
    if (dependent.unmet === 0 && dependent.phase.name === "waiting")
      enter(state, dependent, { name: "ready" });
  }
}

/** It is complete no longer: nobody who depends on it may begin. */
export function bindDependents(state: OwnState, task: OwnTask): void {
  for (const id of task.dependents) {
    const dependent = own(state, id);
    dependent.unmet += 1;
    if (dependent.phase.name === "ready") enter(state, dependent, { name: "waiting" });
  }
}

/** Where a task stands that nothing has been done for. */
export function atRest(task: OwnTask): Phase {
  return task.unmet === 0 ? { name: "ready" } : { name: "waiting" };
}

/** Back to work in another round. */
export function anotherRound(
  state: OwnState,
  task: OwnTask,
  { feedback, desk }: { feedback: readonly Told[]; desk?: DeskWish | undefined },
): void {
  task.turnsOfAttempt = 0;
  task.auditTurnsOfAttempt = 0;
  task.counts.repliesRefused = 0;
  task.counts.auditTurnsLost = 0;
  task.feedback = feedback;
  if (desk) task.desk = desk;
  else if (task.desk) {
    // Work of an earlier round may lack what landed since, and would take it back.
    const tree = task.work?.attempt === task.attempt ? task.work.tree : task.desk.tree;
    task.desk = { ...task.desk, tree, keep: true };
  }
  task.attempt += 1;
  enter(state, task, { name: "working", step: "due" });
}
