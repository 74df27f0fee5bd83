/**
 * Turns a turn's usage into what is recorded. If the agent reports a cost, that is used; otherwise the cost is an
 * estimate from the price table, and marked as one. Models without a price are named. An unknown cost is left out, not
 * recorded as zero.
 */
import { type Prices, priceOf } from "../../config/crew/prices.ts";
import type { ModelUsage, Usage } from "../../driver/driver.ts";
import type { TurnSpending } from "../../kernel/event.ts";
import { oneLine } from "../../std/printable.ts";

export interface Used {
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** The prices in the configuration. */
  readonly prices: Prices | undefined;
}

export function spentOf({ ms, usage, prices }: Used): TurnSpending {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return { ms, ...(tokens > 0 && { tokens }), ...moneyOf(usage, prices) };
}

function moneyOf(usage: Usage | undefined, prices: Prices | undefined): Partial<TurnSpending> {
  if (usage === undefined) return {};
  const { usdMicros: reportedUsdMicros, models = [], additional = [], isPartial } = usage;
  // A program that reports a cost of zero for tokens it used does not know its model's price.
  const used = [...(reportedUsdMicros ? [] : models), ...additional].filter((one) => tokensOf(one) > 0);
  const costs = used.map((one) => costOf(one, prices));
  const priced = costs.filter((cost) => cost !== undefined);
  const sum = priced.reduce((total, cost) => total + cost, 0);
  const unpriced = used.flatMap(({ model }, at) => (costs[at] === undefined ? [oneLine(model, 80)] : []));
  const isAnyKnown =
    priced.length > 0 ||
    (reportedUsdMicros !== undefined && (reportedUsdMicros > 0 || unpriced.length === 0));
  return {
    ...(isAnyKnown && {
      usd_micros: (reportedUsdMicros ?? 0) + (sum > 0 ? Math.max(1, Math.round(sum)) : 0),
    }),
    ...(sum > 0 && { usd_estimated: true as const }),
    ...(unpriced.length > 0 && { unpriced }),
    ...(isPartial && { usd_partial: true as const }),
  };
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: ModelUsage): number {
  return inputTokens + outputTokens;
}

/** Dollars per million tokens are millionths of a dollar per token. */
function costOf(used: ModelUsage, prices: Prices | undefined): number | undefined {
  const { model, inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = used;
  const price = priceOf(model, prices);
  if (price === undefined) return undefined;
  const cached = Math.min(cachedInputTokens, inputTokens);
  return (
    (inputTokens - cached) * price.input +
    cached * (price.cached ?? price.input) +
    outputTokens * price.output
  );
}
