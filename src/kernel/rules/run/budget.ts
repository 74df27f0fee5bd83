/**
 * What a run may cost. Money is set aside before an agent is dispatched: for each turn under way, as much as the most
 * expensive turn so far. So the overspend is at most what one turn per slot costs beyond that. A reserved amount may
 * turn out cheaper, so the run waits for it; a person is asked for more only when waiting cannot help.
 *
 * Only known costs are counted. A turn of unknown cost adds nothing to the sum, and the sum is marked as a lower bound.
 * What ends such a run is a limit of turns or time, which is asked for before the run begins.
 */
import type { TaskId } from "../../../plan/plan.ts";
import type { Budget } from "../../../plan/value-readers.ts";
import type { DeepReadonly } from "../../../std/deep-readonly.ts";
import type { TurnSpending } from "../../event.ts";
import type { MutableState, State, Task, TotalSpending } from "../../state.ts";
import { mutableTask } from "../tasks.ts";
import { areTokensKnown, isCostKnown } from "./known-cost.ts";

/** Why no other agent may be dispatched, in words, and whether that can change by itself. Undefined if one may. */
export function overBudget(
  state: State,
  now: number,
): { detail: string; mayBeTemporary: boolean } | undefined {
  const { budget, spent } = state;
  const underWay = state.turns.size;
  const certain = {
    turns: spent.turns + underWay,
    ms: now,
    tokens: spent.tokens,
    usdMicros: spent.usdMicros,
    ...unknownIn(spent),
  };
  const detail = exceeded(budget, certain);
  if (detail !== undefined) return { detail, mayBeTemporary: false };
  const reserved = exceeded(budget, {
    ...certain,
    tokens: spent.tokens + underWay * spent.turnTokensMax,
    usdMicros: spent.usdMicros + underWay * spent.turnUsdMicrosMax,
  });
  return reserved === undefined ? undefined : { detail: reserved, mayBeTemporary: true };
}

/** A task has one turn at a time, so nothing needs to be set aside. Each retry grants its budget once more. */
export function taskOverBudget({ facts, spent, budgetsGranted }: Task): string | undefined {
  const { budget } = facts;
  if (!budget) return undefined;
  const granted = Object.entries(budget).map(([name, amount]) => [name, amount * budgetsGranted]);
  return exceeded(Object.fromEntries(granted), spent);
}

interface Amounts extends Pick<TotalSpending, "turnsOfUnknownCost" | "turnsOfUnknownTokens"> {
  readonly turns: number;
  readonly ms: number;
  readonly tokens: number;
  readonly usdMicros: number;
}

function unknownIn({ turnsOfUnknownCost = 0, turnsOfUnknownTokens = 0 }: DeepReadonly<TotalSpending>) {
  return { turnsOfUnknownCost, turnsOfUnknownTokens };
}

function exceeded(budget: Budget, amounts: Readonly<Amounts>): string | undefined {
  const { turns, ms, tokens, usdMicros } = amounts;
  const { turnsOfUnknownCost = 0, turnsOfUnknownTokens = 0 } = amounts;
  if (budget.turns !== undefined && turns >= budget.turns) return `${turns} of ${budget.turns} turns`;
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    return `${atLeast(turnsOfUnknownTokens)}${tokens} of ${budget.tokens} tokens`;
  if (budget.usdMicros !== undefined && usdMicros >= budget.usdMicros)
    return `${atLeast(turnsOfUnknownCost)}${dollars(usdMicros)} of ${dollars(budget.usdMicros)}`;
  if (budget.timeMs !== undefined && ms >= budget.timeMs)
    return `${Math.round(ms / 1000)} s of ${Math.round(budget.timeMs / 1000)} s`;
  return undefined;
}

function atLeast(unknownTurns: number): string {
  return unknownTurns > 0 ? "at least " : "";
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(2)}`;
}

export function spend(state: MutableState, id: TaskId, spent: TurnSpending): void {
  add(state.spent, spent);
  add(mutableTask(state, id).spent, spent);
}

function add(sum: TotalSpending, spent: TurnSpending): void {
  const { ms, tokens = 0, usd_micros = 0, usd_estimated } = spent;
  sum.turns += 1;
  sum.ms += ms;
  sum.tokens += tokens;
  sum.usdMicros += usd_micros;
  if (usd_estimated) sum.usdMicrosEstimated = (sum.usdMicrosEstimated ?? 0) + usd_micros;
  if (!isCostKnown(spent)) sum.turnsOfUnknownCost = (sum.turnsOfUnknownCost ?? 0) + 1;
  if (!areTokensKnown(spent)) sum.turnsOfUnknownTokens = (sum.turnsOfUnknownTokens ?? 0) + 1;
  sum.turnTokensMax = Math.max(sum.turnTokensMax, tokens);
  sum.turnUsdMicrosMax = Math.max(sum.turnUsdMicrosMax, usd_micros);
}
