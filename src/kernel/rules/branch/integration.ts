/**
 * From a pass to a commit: the work is merged with what was integrated meanwhile, verified again if that changed
 * anything, recorded as prepared, and only then put on the branch. One task at a time, in the order in which they
 * passed.
 */

import { type CommitId, noTree } from "../../../std/object-id.ts";
import type { Admitted, EffectOutcome } from "../../command.ts";
import type { Effect } from "../../effect.ts";
import type { Event, Events, Finding } from "../../event.ts";
import { evidenceKey, type MutableState, type State, type Task } from "../../state.ts";
import { dequeue, needsVerification, whenTooManyRounds } from "../evidence/audits.ts";
import { verifyEffect } from "../evidence/verification.ts";
import { anotherRound, enter, freeDependents, mutableTask, taskOf } from "../tasks.ts";
import { preparedRollback, rolledBack } from "./rollback.ts";

type Of<Name extends EffectOutcome["command"]> = Extract<EffectOutcome, { command: Name }>;

/** The next effect for the task that has the branch. */
export function integrationEffect(state: State, { facts, attempt, phase, work }: Task): Effect | undefined {
  if (phase.name !== "integrating" || !work) return undefined;
  const { task } = facts;
  const { step } = phase;
  switch (step.name) {
    case "merge": {
      const { tip: onto } = state;
      const { base, tree } = work;
      return { effect: "merge", key: `merge:${task}#${attempt}@${onto}`, task, base, tree, onto };
    }
    case "verify":
      return verifyEffect(state, { of: "merge", task, attempt, onto: step.onto }, step.tree);
    case "commit": {
      const { onto: parent, tree } = step;
      return { effect: "commit", key: `commit:${task}#${attempt}@${parent}`, task, parent, tree };
    }
    case "advance":
      return {
        effect: "advance",
        key: `advance:${step.onto}→${step.commit}`,
        from: step.onto,
        to: step.commit,
      };
  }
}

export function admitMerged(state: State, { task: id, onto, result }: Of<"merged">): Admitted {
  const task = taskOf(state, id);
  const { phase, attempt } = task;
  const isAwaited = phase.name === "integrating" && phase.step.name === "merge" && onto === state.tip;
  if (!isAwaited) return { refused: "stale", key: `merge:${id}` };
  if (result.kind === "clean")
    return [{ event: "integration_merged", data: { task: id, attempt, onto, tree: result.tree } }];
  const { tree, paths } = result;
  return [
    { event: "integration_conflicted", data: { task: id, attempt, onto, tree, paths } },
    ...whenTooManyRounds(state, task, `it conflicts with what was integrated meanwhile: ${paths.join(", ")}`),
  ];
}

export function admitCommitted(state: State, { task: id, parent, tree, commit }: Of<"committed">): Admitted {
  const task = taskOf(state, id);
  const { phase, attempt } = task;
  const step = phase.name === "integrating" ? phase.step : undefined;
  if (step?.name !== "commit" || step.tree !== tree || parent !== state.tip)
    return { refused: "stale", key: `commit:${id}` };
  if (needsVerification(state, task, tree)) return { refused: "no-evidence", task: id, tree };
  return [{ event: "integration_prepared", data: { task: id, attempt, parent, tree, commit } }];
}

export function admitAdvanced(state: State, command: Of<"advanced">): Admitted {
  const { from, to, found } = command;
  const [first] = state.queue;
  if (!first || prepared(state, first) !== to || from !== state.tip)
    return { refused: "stale", key: `advance:${from}→${to}` };
  if (found !== undefined) return [branchMoved(state, { from, found })];
  if (first.of === "rollback") return rolledBack(state);
  return completed(state, taskOf(state, first.task), { parent: from, commit: to });
}

/** The commit that the branch will move to. */
function prepared(state: State, work: State["queue"][number]): CommitId | undefined {
  if (work.of === "rollback") return preparedRollback(state);
  const { phase } = taskOf(state, work.task);
  return phase.name === "integrating" && phase.step.name === "advance" ? phase.step.commit : undefined;
}

function branchMoved(state: State, { from, found }: { from: CommitId; found: CommitId }): Event {
  const branch = state.run?.branch ?? "";
  const detail = `somebody moved ${branch} from ${from} to ${found}; move it back with: git update-ref refs/heads/${branch} ${from} ${found}`;
  return { event: "run_paused", data: { reason: "trouble", detail } };
}

function completed(
  state: State,
  task: Task,
  { parent, commit }: { parent: CommitId; commit: CommitId },
): Event[] {
  const { facts, work } = task;
  const step = task.phase.name === "integrating" ? task.phase.step : undefined;
  const tree = step?.name === "advance" ? step.tree : noTree;
  const evidence = state.evidence.get(evidenceKey(tree, facts.verify));
  const commands = evidence?.commands.map(({ command, exit }) => `${command} → ${exit}`).join("; ");
  return [
    {
      event: "task_commit_recorded",
      data: {
        task: facts.task,
        commit_sha: commit,
        parent,
        files_modified: work?.files ?? [],
        branch: state.run?.branch ?? "",
      },
    },
    {
      event: "task_complete",
      data: {
        task: facts.task,
        agent: work?.author ?? facts.agent,
        evidence_summary: commands ?? "no verify commands",
      },
    },
  ];
}

export function onMerged(state: MutableState, { task: id, onto, tree }: Events["integration_merged"]): void {
  const task = mutableTask(state, id);
  const name = needsVerification(state, task, tree) ? "verify" : "commit";
  enter(state, task, { name: "integrating", step: { name, onto, tree } });
}

export function onConflicted(state: MutableState, data: Events["integration_conflicted"]): void {
  const { task: id, onto, tree, paths } = data;
  const task = mutableTask(state, id);
  dequeue(state, id);
  task.counts.roundsFailed += 1;
  const feedback: Finding[] = paths.map((path) => ({
    code: "INTEGRATION_CONFLICT",
    path,
    message: `${path} was changed by a task that was integrated meanwhile, and the two changes conflict`,
    hint: "Your desk has both versions, between <<<<<<< and >>>>>>> where they are in one file: keep what both intended and remove the markers. If two names differ only in case, keep one.",
  }));
  anotherRound(state, task, { feedback, desk: { base: onto, tree, keep: false } });
}

export function onPrepared(state: MutableState, data: Events["integration_prepared"]): void {
  const { task: id, parent, tree, commit } = data;
  enter(state, mutableTask(state, id), {
    name: "integrating",
    step: { name: "advance", onto: parent, tree, commit },
  });
}

export function onCommitRecorded(state: MutableState, data: Events["task_commit_recorded"]): void {
  const { task: id, commit_sha: sha, parent, files_modified: files } = data;
  const task = mutableTask(state, id);
  const step = task.phase.name === "integrating" ? task.phase.step : undefined;
  const tree = step?.name === "advance" ? step.tree : state.tipTree;
  state.tip = sha;
  state.tipTree = tree;
  dequeue(state, id);
  enter(state, task, {
    name: "done",
    commit: { sha, parent, tree, files, at: state.time, seq: state.seq },
  });
}

export function onTaskComplete(state: MutableState, { task: id }: Events["task_complete"]): void {
  const task = mutableTask(state, id);
  task.desk = undefined;
  task.feedback = [];
  freeDependents(state, task);
}
