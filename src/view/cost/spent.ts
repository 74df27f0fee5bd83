/** What was spent and what may be spent, in words: "$1.12 of $15 · 12.4k tokens". */
import type { State } from "../../kernel/state.ts";
import { grouped } from "../../std/counted.ts";
import { type Cost, costOf, costText, money, namedCostText } from "./cost.ts";

/** Leaves out parts that are neither limited nor spent. Time is shown elsewhere, with the time that has passed. */
export function spentText({ spent, budget }: Pick<State, "spent" | "budget">): string {
  const parts = [
    costPart(costOf(spent), budget.usdMicros),
    tokensPart(spent, budget.tokens),
    budget.turns === undefined ? "" : `${grouped(spent.turns)} of ${grouped(budget.turns)} turns`,
  ];
  return parts.filter((each) => each !== "").join(" · ");
}

function costPart(cost: Cost, limit: number | undefined): string {
  if (limit === undefined) return cost.usdMicros === 0 ? "" : namedCostText(cost);
  return cost.usdMicros === undefined
    ? `cost unknown (limit ${money(limit)})`
    : `${costText(cost)} of ${money(limit)}`;
}

/** The unit is given once, after the limit. */
function tokensPart({ tokens, turnsOfUnknownTokens = 0 }: State["spent"], limit: number | undefined): string {
  const isWhole = turnsOfUnknownTokens === 0;
  if (tokens === 0 && !isWhole) return limit === undefined ? "" : `tokens unknown (limit ${short(limit)})`;
  const used = `${isWhole ? "" : "at least "}${short(tokens)}`;
  if (limit !== undefined) return `${used} of ${short(limit)} tokens`;
  return tokens === 0 ? "" : `${used} tokens`;
}

/** "842", "12.4k", "3.1M". */
export function short(count: number): string {
  if (count < 1000) return String(count);
  // 999,500 rather than a million, so that rounding never gives "1000k".
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10}${unit}`;
}
