/** What was spent and what may be, as a person says it: "$1.12 of $15 · 12.4k tokens". */
import type { State } from "../kernel/state.ts";
import { grouped } from "../std/counted.ts";

/** Parts that are neither limited nor spent are left out; time stands elsewhere, with the time that passed. */
export function spentText({ spent, budget }: Pick<State, "spent" | "budget">): string {
  const { usdMicros, tokens, turns } = budget;
  const isEstimated = (spent.usdMicrosEstimated ?? 0) > 0;
  const parts = [
    `${isEstimated ? "~" : ""}${part(spent.usdMicros, usdMicros, (amount) => money(amount))}`,
    part(spent.tokens, tokens, (count) => `${short(count)} tokens`),
    turns === undefined ? "" : part(spent.turns, turns, (count) => `${grouped(count)} turns`),
  ];
  return parts.filter((each) => each !== "").join(" · ");
}

function part(spent: number, limit: number | undefined, words: (amount: number) => string): string {
  if (limit === undefined) return spent === 0 ? "" : words(spent);
  // The unit is said once, behind the limit.
  const [amount = ""] = words(spent).split(" ");
  return `${amount} of ${words(limit)}`;
}

/** "$1.12", "$15", "$0.0042"; "~$1.12" where a part of it was reckoned from a table of prices. */
export function money(usdMicros: number, isEstimated = false): string {
  if (isEstimated) return `~${money(usdMicros)}`;
  if (usdMicros % 1_000_000 === 0) return `$${grouped(usdMicros / 1_000_000)}`;
  return `$${(usdMicros / 1_000_000).toFixed(usdMicros < 10_000 ? 4 : 2)}`;
}

/** "842", "12.4k", "3.1M". */
export function short(count: number): string {
  if (count < 1000) return String(count);
  // 999,500 and not a million, so that rounding never gives "1000k".
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10}${unit}`;
}
