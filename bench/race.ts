/**
 * Lets the contestants of a workload run against each other: every one in every round, the order rotated, one
 * round beforehand that does not count, so that nobody pays for the compiler or a cold cache.
 */
import { execFileSync } from "node:child_process";
import { ratios, rotated, type Spread, spread } from "./statistics.ts";
import type { Comparison, Contestant, Workload } from "./workload.ts";

export interface Result {
  readonly workload: Workload;
  readonly rounds: number;
  readonly times: readonly { readonly contestant: string; readonly ms: Spread }[];
  readonly compared: readonly Compared[];
}

export interface Compared extends Comparison {
  readonly ratio: Spread;
  /** Nothing where no target was set. */
  readonly met?: boolean;
}

export async function race(workload: Workload, roundsWanted: number, scratch: string): Promise<Result> {
  const { contestants, comparisons, roundsMin = 0 } = workload;
  const rounds = Math.max(roundsWanted, roundsMin);
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const contestant of rotated(contestants, round)) {
      const ms = await measure(contestant, round, scratch);
      if (round > 0) times.get(contestant.name)?.push(ms);
      progress(`${workload.name}: round ${round} of ${rounds}, ${contestant.name} ${ms.toFixed(0)} ms`);
    }
  }
  progress("");
  return {
    workload,
    rounds,
    times: [...times].map(([contestant, ms]) => ({ contestant, ms: spread(ms) })),
    compared: comparisons.map((comparison) => compare(comparison, times)),
  };
}

async function measure(contestant: Contestant, round: number, scratch: string): Promise<number> {
  const run = await contestant.prepare(round);
  // What others have left unwritten in the page cache would otherwise be written at this one's expense.
  execFileSync("sync", ["-f", scratch]);
  const start = performance.now();
  await run.go();
  const ms = performance.now() - start;
  await run.end?.();
  return ms;
}

function compare(comparison: Comparison, times: ReadonlyMap<string, readonly number[]>): Compared {
  const { slow, fast, target } = comparison;
  const ratio = spread(ratios(times.get(slow) ?? [], times.get(fast) ?? []));
  if (!target) return { ...comparison, ratio };
  const met = "atMost" in target ? ratio.median <= target.atMost : ratio.median >= target.atLeast;
  return { ...comparison, ratio, met };
}

/** One line that is written over, on a terminal; silent in a file. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}
