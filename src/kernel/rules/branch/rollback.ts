/**
 * Rolls tasks back with reverts on top of everything, never by rewriting history. Dependents are reverted first. All
 * reverts of a request are prepared, then the branch moves once for all of them, so a conflict leaves everything as it
 * was.
 */
import type { TaskId } from "../../../plan/plan.ts";
import { assert } from "../../../std/assert.ts";
import type { CommitId } from "../../../std/object-id.ts";
import type { Admitted, EffectOutcome, ExternalCommand } from "../../command.ts";
import type { Effect } from "../../effect.ts";
import type { Event, Events } from "../../event.ts";
import type { MutableState, RollbackStep, State, Task } from "../../state.ts";
import { dequeue } from "../evidence/audits.ts";
import { verifyEffect } from "../evidence/verification.ts";
import { withdrawn } from "../questions.ts";
import { bindDependents, enter, freeDependents, mutableTask, restingPhase, taskOf } from "../tasks.ts";
import { unwant } from "../turn/turns.ts";

export function admitRollback(
  state: State,
  { task: id, cascade, by }: Extract<ExternalCommand, { command: "rollback" }>,
): Admitted {
  const task = taskOf(state, id);
  const { phase } = task;
  if (phase.name === "reverting")
    return { refused: "illegal-transition", task: id, from: phase.name, to: "pending" };
  const hasCommit = phase.name === "done" && phase.commit !== undefined;
  // While a commit is being put on the branch, nobody can say yet whether it is recorded.
  if (isBranchBusy(state) && (hasCommit || phase.name === "integrating"))
    return { refused: "not-possible-now", why: "a commit is being put on the branch" };
  if (!hasCommit) return [{ event: "rollback_failed", data: { task: id, reason: "no_commit_recorded", by } }];
  const below = dependentsOf(state, task);
  const complete = below.filter((one) => one.phase.name === "done" && one.phase.commit);
  if (complete.length > 0 && !cascade) {
    const dependents = complete.map(({ facts }) => facts.task);
    return [
      { event: "rollback_blocked", data: { task: id, reason: "dependent_tasks_completed", dependents, by } },
    ];
  }
  const tasks = [...complete, task].sort((one, other) => committed(other) - committed(one));
  return [{ event: "rollback_requested", data: { tasks: tasks.map(({ facts }) => facts.task), by } }];
}

/**
 * Judges the rollback again now. If it has become possible meanwhile, it is still not done, because nobody approved it.
 */
export function admitRollbackRefusal(
  state: State,
  { task, cascade, conflict, by }: Extract<ExternalCommand, { command: "log-rollback-refusal" }>,
): Admitted {
  const judged = admitRollback(state, { command: "rollback", task, cascade, by });
  if ("refused" in judged || judged.every(({ event }) => event !== "rollback_requested")) return judged;
  if (!conflict) return [];
  const reason = conflictWords(state, conflict);
  return [{ event: "rollback_failed", data: { task: conflict.task, reason, by } }];
}

function conflictWords(
  state: State,
  { task, paths }: { readonly task: TaskId; readonly paths: readonly string[] },
): string {
  const later = laterTasks(state, taskOf(state, task), paths);
  const names = later.length > 0 ? ` (changed by ${later.join(", ")})` : "";
  return `later changes are in the way: ${paths.join(", ")}${names}`;
}

/** Whether the branch may have moved without our knowing yet, or another rollback is about to move it. */
function isBranchBusy(state: State): boolean {
  const [first] = state.queue;
  if (!first) return false;
  if (first.of === "rollback") return true;
  const { phase } = taskOf(state, first.task);
  return phase.name === "integrating" && phase.step.name === "advance";
}

function committed({ phase }: Task): number {
  return phase.name === "done" ? (phase.commit?.seq ?? 0) : 0;
}

/** All tasks that depend on it, directly or through others. */
function dependentsOf(state: State, task: Task): Task[] {
  const seen = new Set<TaskId>();
  const found: Task[] = [];
  const queue = [...task.dependents];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const dependent = taskOf(state, id);
    found.push(dependent);
    queue.push(...dependent.dependents);
  }
  return found;
}

/** The next effect for the rollback that has the branch: each revert on top of the one before, then a single move. */
export function rollbackEffect(state: State): Effect | undefined {
  const [first] = state.queue;
  if (first?.of !== "rollback") return undefined;
  if (first.step.name === "verify") {
    return verifyEffect(state, { of: "rollback", task: first.task }, first.step.tree);
  }
  const next = nextRevert(state);
  if (next) {
    const { task, commit, onto } = next;
    return { effect: "revert", key: `revert:${task}@${onto}`, task, commit, onto };
  }
  const to = preparedRollback(state);
  return to === undefined
    ? undefined
    : { effect: "advance", key: `advance:${state.tip}→${to}`, from: state.tip, to };
}

function nextRevert(state: State): { task: TaskId; commit: CommitId; onto: CommitId } | undefined {
  let onto = state.tip;
  for (const { task, step } of rollbacks(state)) {
    if (step.name === "advance") onto = step.commit;
    if (step.name !== "revert") continue;
    const { phase } = taskOf(state, task);
    assert(phase.name === "reverting", "a task whose rollback is queued is being reverted");
    return { task, commit: phase.commit.sha, onto };
  }
  return undefined;
}

/** The last commit of a rollback, once every revert is prepared. */
export function preparedRollback(state: State): CommitId | undefined {
  const steps = rollbacks(state).map(({ step }) => step);
  const last = steps.at(-1);
  return steps.every(({ name }) => name === "advance") && last?.name === "advance" ? last.commit : undefined;
}

/** Rollbacks are always adjacent, at the front of the queue. */
function rollbacks({ queue }: State) {
  return queue.flatMap((work) => (work.of === "rollback" ? [work] : []));
}

export function admitReverted(
  state: State,
  { task: id, onto, result }: Extract<EffectOutcome, { command: "reverted" }>,
): Admitted {
  const next = nextRevert(state);
  if (next?.task !== id || next.onto !== onto) return { refused: "stale", key: `revert:${id}@${onto}` };
  if (result.kind === "conflict") {
    const reason = conflictWords(state, { task: id, paths: result.paths });
    return [{ event: "rollback_failed", data: { task: id, reason } }];
  }
  const { tree, commit } = result;
  return [
    { event: "rollback_prepared", data: { task: id, reverts: next.commit, parent: onto, tree, commit } },
  ];
}

/** The branch has moved: every task of the request is rolled back, and only now do the tasks built on them stop. */
export function rolledBack(state: State): Event[] {
  const taken = rollbacks(state);
  const wanted = taken.at(-1);
  assert(wanted, "a rollback has the branch");
  const events = taken.flatMap(({ task, step }) =>
    step.name === "advance"
      ? [
          {
            event: "task_rolled_back",
            data: { task, from_sha: step.onto, to_sha: step.commit },
          } as const,
        ]
      : [],
  );
  const below = underWayOn(state, taskOf(state, wanted.task));
  return [...events, ...below.flatMap((one) => aborted(state, one, wanted.task))];
}

/** Tasks under way that are built on this one: they stop when it is rolled back. */
export function underWayOn(state: State, task: Task): Task[] {
  return dependentsOf(state, task).filter(
    ({ phase: { name } }) =>
      name === "working" || name === "auditing" || name === "integrating" || name === "held",
  );
}

function aborted(state: State, { facts }: Task, because: TaskId): Event[] {
  const reason = `it depends on ${because}, which was reverted`;
  return [
    ...withdrawn(state, facts.task, reason),
    { event: "task_aborted", data: { task: facts.task, reason } },
  ];
}

/** Tasks that changed one of these files later. */
export function laterTasks(state: State, { phase: taken }: Task, paths: readonly string[]): TaskId[] {
  const since = "commit" in taken ? (taken.commit?.seq ?? 0) : 0;
  const wanted = new Set(paths);
  const later: TaskId[] = [];
  for (const { facts, phase } of state.tasks.values())
    if (phase.name === "done" && phase.commit && phase.commit.seq > since)
      if (phase.commit.files.some((file) => wanted.has(file))) later.push(facts.task);
  return later;
}

export function onRollbackRequested(state: MutableState, { tasks }: Events["rollback_requested"]): void {
  for (const id of tasks) {
    const task = mutableTask(state, id);
    assert(task.phase.name === "done" && task.phase.commit, "only what has a commit is taken back");
    enter(state, task, { name: "reverting", commit: task.phase.commit });
    bindDependents(state, task);
  }
  state.queue.unshift(...tasks.map((task) => ({ of: "rollback", task, step: { name: "revert" } }) as const));
}

export function onAborted(state: MutableState, { task: id, reason }: Events["task_aborted"]): void {
  const task = mutableTask(state, id);
  unwant(state, task, reason);
  dequeue(state, id);
  beginAnew(task);
  enter(state, task, restingPhase(task));
}

/** As if nobody had worked at it; spending, guidance and the count of failed audits stay. */
function beginAnew(task: ReturnType<typeof mutableTask>): void {
  task.attempt += 1;
  task.turnsOfAttempt = 0;
  task.auditTurnsOfAttempt = 0;
  task.counts = { ...task.counts, repliesRefused: 0, turnsLost: 0, auditTurnsLost: 0, roundsFailed: 0 };
  task.desk = undefined;
  task.work = undefined;
  task.checkpoint = undefined;
  task.outputs = [];
  task.feedback = [];
  task.unfitAgents = [];
  task.conversations = {};
}

export function onRollbackPrepared(state: MutableState, data: Events["rollback_prepared"]): void {
  const { task, parent, tree, commit } = data;
  setStep(state, task, { name: "advance", onto: parent, tree, commit });
}

export function onRolledBack(state: MutableState, { task: id, to_sha }: Events["task_rolled_back"]): void {
  const [first, next] = state.queue;
  assert(first?.of === "rollback" && first.step.name === "advance", "a rollback was being put on the branch");
  const { tree } = first.step;
  state.tip = to_sha;
  state.tipTree = tree;
  state.finalVerify = undefined;
  if (state.status.name === "finished") state.status = { name: "stopped" };
  const task = mutableTask(state, id);
  beginAnew(task);
  enter(state, task, restingPhase(task));
  // The next revert of the same request changes the tree again, so only the last tree is worth verifying.
  const isLast = next?.of !== "rollback";
  if (isLast && (state.run?.settings.verify.length ?? 0) > 0) setStep(state, id, { name: "verify", tree });
  else state.queue.shift();
  if (isLast) mergeAnew(state);
}

/** Only the first task in the queue can have been merged, and what it was merged with is gone, so it merges again. */
function mergeAnew(state: MutableState): void {
  const first = state.queue.find(({ of }) => of === "task");
  const task = first && mutableTask(state, first.task);
  if (task?.phase.name === "integrating" && task.phase.step.name !== "merge")
    enter(state, task, { name: "integrating", step: { name: "merge" } });
}

/** Nothing of the request is done: the tasks it would have rolled back stay as they are. */
export function onRollbackFailed(state: MutableState, { task: id }: Events["rollback_failed"]): void {
  if (mutableTask(state, id).phase.name !== "reverting") return;
  for (const work of state.queue) {
    if (work.of !== "rollback") continue;
    const task = mutableTask(state, work.task);
    assert(task.phase.name === "reverting", "a task whose rollback is queued is being reverted");
    enter(state, task, { name: "done", commit: task.phase.commit });
    freeDependents(state, task);
  }
  state.queue = state.queue.filter(({ of }) => of !== "rollback");
}

function setStep(state: MutableState, id: TaskId, step: RollbackStep): void {
  const at = state.queue.findIndex((work) => work.of === "rollback" && work.task === id);
  assert(at >= 0, `the rollback of ${id} is queued`);
  state.queue[at] = { of: "rollback", task: id, step };
}
