/**
 * What a run may cost. It is set aside before an agent is dispatched: for each turn under way as much as the dearest turn
 * so far, so the most that can be spent too much is what one turn per slot costs beyond that. What is only set aside may
 * turn out cheaper, so it is waited for; a person is asked for more when no waiting can help.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { Spent } from "./event.ts";
import type { OwnState, Spending, State, Task } from "./state.ts";
import { own } from "./tasks.ts";

/** Why nobody else may be dispatched, in words, and whether that can change by itself; nothing when somebody may. */
export function overBudget(state: State, now: number): { detail: string; mayPass: boolean } | undefined {
  const { budget, spent } = state;
  const underWay = state.turns.size;
  const certain = {
    turns: spent.turns + underWay,
    ms: now,
    tokens: spent.tokens,
    usdMicros: spent.usdMicros,
  };
  const detail = exceeded(budget, certain);
  if (detail !== undefined) return { detail, mayPass: false };
  const reserved = exceeded(budget, {
    ...certain,
    tokens: spent.tokens + underWay * spent.turnTokensMax,
    usdMicros: spent.usdMicros + underWay * spent.turnUsdMicrosMax,
  });
  return reserved === undefined ? undefined : { detail: reserved, mayPass: true };
}

/** A task has one turn at a time, so nothing needs to be set aside. Each retry grants its budget once more. */
export function taskOverBudget({ facts, spent, budgetsGranted }: Task): string | undefined {
  const { budget } = facts;
  if (!budget) return undefined;
  const granted = Object.entries(budget).map(([name, amount]) => [name, amount * budgetsGranted]);
  return exceeded(Object.fromEntries(granted), spent);
}

interface Amounts {
  readonly turns: number;
  readonly ms: number;
  readonly tokens: number;
  readonly usdMicros: number;
}

function exceeded(budget: Budget, { turns, ms, tokens, usdMicros }: Amounts): string | undefined {
  if (budget.turns !== undefined && turns >= budget.turns) return `${turns} of ${budget.turns} turns`;
  if (budget.tokens !== undefined && tokens >= budget.tokens) return `${tokens} of ${budget.tokens} tokens`;
  if (budget.usdMicros !== undefined && usdMicros >= budget.usdMicros)
    return `${dollars(usdMicros)} of ${dollars(budget.usdMicros)}`;
  if (budget.timeMs !== undefined && ms >= budget.timeMs)
    return `${Math.round(ms / 1000)} s of ${Math.round(budget.timeMs / 1000)} s`;
  return undefined;
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(2)}`;
}

export function spend(state: OwnState, id: TaskId, spent: Spent): void {
  add(state.spent, spent);
  add(own(state, id).spent, spent);
}

function add(sum: Spending, { ms, tokens = 0, usd_micros = 0, usd_estimated }: Spent): void {
  sum.turns += 1;
  sum.ms += ms;
  sum.tokens += tokens;
  sum.usdMicros += usd_micros;
  if (usd_estimated) sum.usdMicrosEstimated = (sum.usdMicrosEstimated ?? 0) + usd_micros;
  sum.turnTokensMax = Math.max(sum.turnTokensMax, tokens);
  sum.turnUsdMicrosMax = Math.max(sum.turnUsdMicrosMax, usd_micros);
}
