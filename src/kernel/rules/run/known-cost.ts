/**
 * Whether the full cost of a turn is known. A cost that was not reported is unknown, not zero: an agent that does not
 * report its cost may have cost anything.
 */
import type { TurnSpending } from "../../event.ts";

export function isCostKnown({ usd_micros, usd_partial, unpriced = [] }: TurnSpending): boolean {
  return usd_micros !== undefined && !usd_partial && unpriced.length === 0;
}

/** A turn that is known to have cost nothing used no tokens. */
export function areTokensKnown({ tokens, usd_micros }: TurnSpending): boolean {
  return tokens !== undefined || usd_micros === 0;
}

/** For a turn whose agent never started. */
export const unspentTurn: TurnSpending = { ms: 0, usd_micros: 0 };
