/**
 * What something cost, as far as it is known. Every place that shows a cost uses this, so that an unknown cost is never
 * shown as zero: "$1.12", "~$1.12" if part of it comes from the price table, "at least $0.15" if some turns reported
 * nothing, "unknown" if none did.
 */
import type { TurnSpending } from "../../kernel/event.ts";
import { isCostKnown } from "../../kernel/rules/run/known-cost.ts";
import type { State } from "../../kernel/state.ts";
import { grouped } from "../../std/counted.ts";

export interface Cost {
  /** The known part; undefined if nothing is known. */
  readonly usdMicros: number | undefined;
  /** Whether that is the whole cost. */
  readonly isWhole: boolean;
  readonly isEstimated: boolean;
}

type Sum = Pick<State["spent"], "usdMicros" | "usdMicrosEstimated" | "turnsOfUnknownCost">;

/** The cost of all turns of a run, a task or an agent. */
export function costOf({ usdMicros, usdMicrosEstimated = 0, turnsOfUnknownCost = 0 }: Sum): Cost {
  const isWhole = turnsOfUnknownCost === 0;
  return {
    usdMicros: isWhole || usdMicros > 0 ? usdMicros : undefined,
    isWhole,
    isEstimated: usdMicrosEstimated > 0,
  };
}

export function costOfTurn(spent: TurnSpending): Cost {
  const { usd_micros: usdMicros = 0, usd_estimated } = spent;
  return costOf({
    usdMicros,
    usdMicrosEstimated: usd_estimated ? usdMicros : 0,
    turnsOfUnknownCost: isCostKnown(spent) ? 0 : 1,
  });
}

/** "unknown", "at least $0.15", "~$1.12". */
export function costText({ usdMicros, isWhole, isEstimated }: Cost): string {
  if (usdMicros === undefined) return "unknown";
  return `${isWhole ? "" : "at least "}${isEstimated ? "~" : ""}${money(usdMicros)}`;
}

/** The same for places that do not already say it is a cost: "cost unknown". */
export function namedCostText(cost: Cost): string {
  return cost.usdMicros === undefined ? "cost unknown" : costText(cost);
}

/** For programs: `usd_micros` is null if nothing is known, and a lower bound if `usd_known` is false. */
export interface CostDocument {
  readonly usd_micros: number | null;
  readonly usd_known: boolean;
}

export function costDocument({ usdMicros, isWhole }: Cost): CostDocument {
  return { usd_micros: usdMicros ?? null, usd_known: isWhole };
}

/** An amount: "$1.12", "$15", "$0.0042". */
export function money(usdMicros: number): string {
  if (usdMicros % 1_000_000 === 0) return `$${grouped(usdMicros / 1_000_000)}`;
  return `$${(usdMicros / 1_000_000).toFixed(usdMicros < 10_000 ? 4 : 2)}`;
}
