/**
 * What a turn used → what is recorded of it. The cost is the agent's own where it tells one, and else an estimate from the
 * price table, marked as one; a model without a price is named and costs nothing that we know of.
 */
import { type Prices, priceOf } from "../config/prices.ts";
import type { ModelUsage, Usage } from "../driver/driver.ts";
import type { Spent } from "../kernel/event.ts";
import { oneLine } from "../std/printable.ts";

export interface Used {
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** Those of the configuration. */
  readonly prices: Prices | undefined;
}

export function spentOf({ ms, usage, prices }: Used): Spent {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return { ms, ...(tokens > 0 && { tokens }), ...moneyOf(usage, prices) };
}

function moneyOf(usage: Usage | undefined, prices: Prices | undefined): Partial<Spent> {
  if (usage?.usdMicros) return { usd_micros: usage.usdMicros };
  const used = (usage?.models ?? []).filter((one) => tokensOf(one) > 0);
  const costs = used.map((one) => costOf(one, prices));
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
  const unpriced = used.flatMap(({ model }, at) => (costs[at] === undefined ? [oneLine(model, 80)] : []));
  return {
    ...(sum > 0 && { usd_micros: Math.max(1, Math.round(sum)), usd_estimated: true as const }),
    ...(unpriced.length > 0 && { unpriced }),
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
