/**
 * What a run may cost. It is set aside before an agent is dispatched: for each turn under way as much as the dearest turn
 * so far, so the most that can be spent too much is what one turn per slot costs beyond that.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { Spent } from "./event.ts";
import type { OwnState, Spending, State } from "./state.ts";
import { own } from "./tasks.ts";

/** Why nobody else may be dispatched, in words; nothing when somebody may. */
export function overBudget(state: State, now: number): string | undefined {
  const underWay = state.turns.size;
  return exceeded(state.budget, {
    turns: state.spent.turns + underWay,
    ms: now,
    tokens: state.spent.tokens + underWay * state.spent.turnTokensMax,
    usdMicros: state.spent.usdMicros + underWay * state.spent.turnUsdMicrosMax,
  });
}

export function taskOverBudget(state: State, id: TaskId): string | undefined {
  const task = state.tasks.get(id);
  return task?.facts.budget && exceeded(task.facts.budget, task.spent);
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

function add(sum: Spending, { ms, tokens = 0, usd_micros = 0 }: Spent): void {
  sum.turns += 1;
  sum.ms += ms;
  sum.tokens += tokens;
  sum.usdMicros += usd_micros;
  sum.turnTokensMax = Math.max(sum.turnTokensMax, tokens);
  sum.turnUsdMicrosMax = Math.max(sum.turnUsdMicrosMax, usd_micros);
}
