/** Looks for broken invariants, seed by seed: reports which were broken, and the first seed that broke each. */
import { Coverage } from "./coverage.ts";
import { simulate } from "./simulate.ts";
import type { Invariant } from "./violation.ts";

export interface Hunt {
  readonly from: number;
  readonly count: number;
  /** The hunt ends when this invariant is broken. Without it, all seeds are played. */
  readonly until?: string;
}

export interface Hunted {
  readonly seen: Partial<Record<Invariant, number>>;
  /** The words of the vocabulary that were reached. */
  readonly reached: readonly string[];
}

export async function hunt({ from, count, until }: Hunt): Promise<Hunted> {
  const seen: Partial<Record<Invariant, number>> = {};
  const coverage = new Coverage();
  for (let seed = from; seed < from + count; seed++) {
    const { violation } = await simulate(seed, coverage);
    if (violation) seen[violation.invariant] ??= seed;
    if (violation?.invariant === until) break;
  }
  return { seen, reached: coverage.reached() };
}
