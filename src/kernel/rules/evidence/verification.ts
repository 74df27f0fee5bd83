/**
 * Results of verify commands: for a task's own work, for that work on top of what was integrated meanwhile, for the
 * branch after a rollback, for the whole run at the end, and for what lands. Only the evidence makes a pass, not a
 * claim.
 */

import type { TreeId } from "../../../std/object-id.ts";
import type { Admitted, EffectOutcome } from "../../command.ts";
import type { Effect } from "../../effect.ts";
import type { Event, Events, Finding, RecordedEvidence, VerifyKey } from "../../event.ts";
import { evidenceKey, type MutableState, type State } from "../../state.ts";
import { landingProof } from "../branch/landing.ts";
import { isComplete, needsFinalVerify } from "../run/finish.ts";
import { enter, mutableTask, taskOf } from "../tasks.ts";
import { failed, passedWithoutAuditor } from "./audits.ts";
import { asAtBase, needsBaseVerify, onBaseVerified } from "./base-verify.ts";

type Verified = Extract<EffectOutcome, { command: "verified" }>;

export function admitVerified(state: State, command: Verified): Admitted {
  const { work, tree, evidence } = command;
  if (!isAwaited(state, command)) return { refused: "stale", key: `verify:${tree}` };
  const failure = command.failure ?? unproven(commandsOf(state, work), evidence);
  if (failure === undefined) {
    const passed: Event = { event: "verification_passed", data: { work, tree, evidence } };
    if (work.of !== "task") return [passed];
    return [passed, ...passedWithoutAuditor(taskOf(state, work.task), tree)];
  }
  const notPassed: Event = { event: "verification_failed", data: { work, tree, evidence, why: failure } };
  if (work.of !== "task" && work.of !== "merge") return [notPassed];
  const on = work.of === "merge" ? " on top of what was integrated meanwhile" : "";
  const where = `${on}${asAtBase(state, evidence)}`;
  const finding = command.isTimedOut ? tooLate(failure, where) : notGood(failure, where);
  const by = `verify commands${on}`;
  return [notPassed, ...failed(state, taskOf(state, work.task), { by, findings: [finding] })];
}

function notGood(failure: string, where: string): Finding {
  return {
    code: "VERIFY_FAILED",
    message: `the verify commands failed${where}: ${failure}`,
    hint: "Make them pass; the coordinator runs them again in a clean checkout without ignored files.",
  };
}

/** We cannot tell whose fault it is: the work may hang, or the limit may be too short for the commands. */
function tooLate(failure: string, where: string): Finding {
  return {
    code: "VERIFY_TIMEOUT",
    message: `the verify commands were stopped before they finished${where}: ${failure}`,
    hint: "If your change makes the command wait or hang (for input, a server, a watcher, a loop), fix that. If the command only needs longer, end with SEEKING DIVINE CLARIFICATION and say so: only a person can raise verify-timeout, for a new run.",
  };
}

export function verifyEffect(state: State, work: VerifyKey, tree: TreeId): Effect {
  const name = "task" in work ? `${work.of} ${work.task}` : work.of;
  const attempt = "attempt" in work ? `#${work.attempt}` : "";
  const key = `verify:${name}${attempt}@${tree}`;
  return { effect: "verify", key, work, tree, commands: commandsOf(state, work) };
}

/**
 * Whether the result of a running verification is still wanted. A run that is stopped or over wants only those of a
 * rollback or a landing; a paused run wants all of them, because they need no agent.
 */
export function isVerifyWanted(state: State, effect: Pick<Verified, "work" | "tree">): boolean {
  const { name } = state.status;
  const isActive = name === "running" || name === "paused";
  const isOfPerson = effect.work.of === "rollback" || effect.work.of === "landing";
  return (isActive || isOfPerson) && isAwaited(state, effect);
}

function isAwaited(state: State, { work, tree }: Pick<Verified, "work" | "tree">): boolean {
  if (work.of === "run")
    return state.tipTree === tree && isComplete(state) && needsFinalVerify(state) && state.queue.length === 0;
  if (work.of === "base") return state.run?.base_tree === tree && needsBaseVerify(state);
  if (work.of === "landing") return !state.landing && landingProof(state, tree) === "none";
  if (work.of === "rollback") {
    const [first] = state.queue;
    if (first?.of !== "rollback" || first.task !== work.task) return false;
    return first.step.name === "verify" && first.step.tree === tree;
  }
  const task = state.tasks.get(work.task);
  if (!task || task.attempt !== work.attempt) return false;
  const { phase } = task;
  if (work.of === "task")
    return phase.name === "auditing" && phase.step === "verify" && task.work?.tree === tree;
  if (phase.name !== "integrating" || phase.step.name !== "verify") return false;
  return phase.step.tree === tree && phase.step.onto === work.onto;
}

function commandsOf(state: State, work: VerifyKey): readonly string[] {
  if (work.of === "task" || work.of === "merge") return taskOf(state, work.task).facts.verify;
  return state.run?.settings.verify ?? [];
}

function unproven(commands: readonly string[], { commands: seen }: RecordedEvidence): string | undefined {
  const missing = commands.find((command) => !seen.some((one) => one.command === command && one.exit === 0));
  return missing === undefined ? undefined : `the evidence does not show that ${missing} passed`;
}

export function onVerificationPassed(state: MutableState, data: Events["verification_passed"]): void {
  const { work, tree, evidence } = data;
  if (work.of === "base") {
    state.evidence.set(evidenceKey(tree, state.run?.settings.verify ?? []), evidence);
    onBaseVerified(state, evidence, undefined);
    return;
  }
  if (work.of === "run") {
    state.evidence.set(evidenceKey(tree, state.run?.settings.verify ?? []), evidence);
    state.finalVerify = { tree, passed: true, why: "" };
    return;
  }
  if (work.of === "rollback" || work.of === "landing") {
    state.evidence.set(evidenceKey(tree, state.run?.settings.verify ?? []), evidence);
    if (work.of === "rollback") state.queue.shift();
    return;
  }
  const task = mutableTask(state, work.task);
  state.evidence.set(evidenceKey(tree, task.facts.verify), evidence);
  if (work.of === "merge") {
    enter(state, task, { name: "integrating", step: { name: "commit", onto: work.onto, tree } });
    return;
  }
  enter(state, task, { name: "auditing", step: "due" });
}

export function onVerificationFailed(
  state: MutableState,
  { work, tree, evidence, why }: Events["verification_failed"],
): void {
  if (work.of === "base") onBaseVerified(state, evidence, why);
  if (work.of === "run") state.finalVerify = { tree, passed: false, why };
  if (work.of === "rollback") state.queue.shift();
}
