/**
 * Answers from the state what should be under way and is not.
 *
 * The answer depends on the state alone, not on how we got there, so recovery after a crash needs no code of its own:
 * replay the events, ask again, get the same answer. Callers start only the effects whose keys are not already running.
 * An effect that finished but is still wanted is started again.
 */

import { noTree } from "../std/object-id.ts";
import type { Order } from "./command.ts";
import type { Effect } from "./effect.ts";
import { nextReturn, whoseRestIsOver } from "./rules/agent/availability.ts";
import { unneededQuestion } from "./rules/agent/hold-for-agent.ts";
import { integrationEffect } from "./rules/branch/integration.ts";
import { rollbackEffect } from "./rules/branch/rollback.ts";
import { baseVerifyWaitMs, isBaseAwaited, needsBaseVerify } from "./rules/evidence/base-verify.ts";
import { verifyEffect } from "./rules/evidence/verification.ts";
import { overBudget } from "./rules/run/budget.ts";
import { canFinish, isComplete, isNothingUnderWay, needsFinalVerify } from "./rules/run/finish.ts";
import { taskOf } from "./rules/tasks.ts";
import {
  firstTaskWithoutAgent,
  freeSlots,
  isRestAwaited,
  type Selection,
  selectNext,
} from "./rules/turn/selection.ts";
import { isInTrouble, type State } from "./state.ts";

export interface Decision {
  /** Record this, then ask again. A dispatch still lacks its random fence tag. */
  readonly order?: Exclude<Order, { command: "dispatch" }> | ({ readonly command: "dispatch" } & Selection);
  readonly effects: readonly Effect[];
  /** Run time at which the answer may change even though nothing happens. */
  readonly wakeAt?: number;
  /** An agent is resting and returns by itself, so nobody needs to be asked. */
  readonly isResting?: true;
}

export function decide(state: State, now: number): Decision {
  const order = nextOrder(state, now);
  const effects = wantedEffects(state);
  const isResting = order === undefined && isWaitingForRest(state);
  const wakeAt = isRunning(state) ? nextWake(state, { now, isResting }) : undefined;
  return {
    ...(order ? { order } : {}),
    effects,
    ...(wakeAt === undefined ? {} : { wakeAt }),
    ...(isResting ? { isResting } : {}),
  };
}

function nextWake(
  state: State,
  { now, isResting }: { readonly now: number; readonly isResting: boolean },
): number | undefined {
  const baseVerifyWait = needsBaseVerify(state) ? baseVerifyWaitMs : undefined;
  const times = [state.budget.timeMs, baseVerifyWait, isResting ? nextReturn(state) : undefined];
  const later = times.flatMap((time) => (time !== undefined && time > now ? [time] : []));
  return later.length === 0 ? undefined : Math.min(...later);
}

/** The run is waiting for a rest to end and then continues by itself. Views of a run ask this too. */
export function isWaitingForRest(state: State): boolean {
  return isRunning(state) && !areAllTasksHeld(state) && isRestAwaited(state);
}

function isRunning({ status }: State): boolean {
  return status.name === "running";
}

/** The plan holds every task while a question is open. */
function areAllTasksHeld({ run, index }: State): boolean {
  return run?.settings.on_question === "hold-all" && index.openQuestions.size > 0;
}

export function wantedEffects(state: State): readonly Effect[] {
  return [...turnEffects(state), ...(isInTrouble(state) ? [] : effectsWithoutAgent(state))];
}

function nextOrder(state: State, now: number): Decision["order"] {
  if (!isRunning(state)) return undefined;
  if (canFinish(state)) return { command: "finish" };
  const rested = whoseRestIsOver(state, now);
  if (rested) return { command: "return-agent", ...rested };
  const question = unneededQuestion(state);
  if (question !== undefined) return { command: "withdraw", question };
  if (areAllTasksHeld(state)) return undefined;
  const taskWithoutAgent = firstTaskWithoutAgent(state);
  if (taskWithoutAgent) return { command: "hold-for-agent", task: taskWithoutAgent.facts.task };
  if (freeSlots(state) <= 0 || isBaseAwaited(state, now)) return undefined;
  const selected = selectNext(state);
  if (!selected) return undefined;
  const over = overBudget(state, now);
  if (!over) return { command: "dispatch", ...selected };
  return over.mayBeTemporary ? undefined : { command: "hold-for-budget", detail: over.detail };
}

function turnEffects(state: State): Effect[] {
  return [...state.turns.values()].map(({ turn, task, role, unwanted }) =>
    unwanted === undefined
      ? { effect: "turn", key: `turn:${turn}`, turn, task, role }
      : { effect: "end-turn", key: `end-turn:${turn}`, turn, reason: unwanted },
  );
}

/**
 * Effects that need no agent: they continue while the run is paused. A rollback continues whatever the run's status.
 */
function effectsWithoutAgent(state: State): Effect[] {
  const isActive = state.status.name === "running" || state.status.name === "paused";
  const branch = branchEffect(state, isActive);
  const effects = branch ? [branch] : [];
  if (!isActive) return effects;
  if (needsBaseVerify(state))
    effects.push(verifyEffect(state, { of: "base" }, state.run?.base_tree ?? noTree));
  effects.push(...collectEffects(state), ...verifyEffects(state));
  if (
    state.status.name === "running" &&
    isComplete(state) &&
    isNothingUnderWay(state) &&
    needsFinalVerify(state)
  )
    effects.push(verifyEffect(state, { of: "run" }, state.tipTree));
  return effects;
}

function collectEffects(state: State): Effect[] {
  return [...state.replies.values()].flatMap(({ turn, task, role }) => {
    const { phase, allowed } = taskOf(state, task);
    const isDue = (phase.name === "working" || phase.name === "auditing") && phase.step === "collect";
    if (!isDue || phase.turn !== turn) return [];
    return [{ effect: "collect", key: `collect:${turn}+${allowed.length}`, turn, task, role, allowed }];
  });
}

/** At most as many at once as there are slots, because commands are as heavy as agents. */
function verifyEffects(state: State): Effect[] {
  const effects: Effect[] = [];
  for (const id of state.index.verifying) {
    if (effects.length >= (state.run?.settings.active_developers ?? 1)) break;
    const { attempt, work } = taskOf(state, id);
    if (work) effects.push(verifyEffect(state, { of: "task", task: id, attempt }, work.tree));
  }
  return effects;
}

/** A stopped run finishes only a branch move that it had already prepared. */
function branchEffect(state: State, isActive: boolean): Effect | undefined {
  const [first] = state.queue;
  if (!first) return undefined;
  if (first.of === "rollback") return rollbackEffect(state);
  const effect = integrationEffect(state, taskOf(state, first.task));
  return isActive || effect?.effect === "advance" ? effect : undefined;
}
