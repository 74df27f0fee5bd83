/**
 * Runs the contestants of a workload against each other: each one in every round, in rotating order, after a warm-up
 * pass that does not count, so that nobody pays for the compiler or a cold cache.
 *
 * A round has three passes, and a contestant's shortest time counts, because other work on the machine can only make a
 * run longer.
 */
import { execFileSync } from "node:child_process";
import { ratios, rotated, type Spread, spread } from "./statistics.ts";
import type { Comparison, Contestant, Workload } from "./workload.ts";

const passes = 3;

export interface Result {
  readonly workload: Workload;
  readonly rounds: number;
  readonly times: readonly { readonly contestant: string; readonly ms: Spread }[];
  readonly compared: readonly Compared[];
}

export interface Compared extends Comparison {
  readonly ratio: Spread;
  /** Missing if no target was set. */
  readonly met?: boolean;
}

export async function race(workload: Workload, roundsWanted: number, scratch: string): Promise<Result> {
  const { contestants, comparisons, roundsMin = 0 } = workload;
  const rounds = Math.max(roundsWanted, roundsMin);
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (const contestant of contestants) await measure(contestant, scratch);
  for (let round = 1; round <= rounds; round++) {
    const least = new Map<string, number>();
    for (let pass = 0; pass < passes; pass++) {
      for (const contestant of rotated(contestants, round * passes + pass)) {
        const { name } = contestant;
        const ms = await measure(contestant, scratch);
        least.set(name, Math.min(ms, least.get(name) ?? ms));
        progress(`${workload.name}: round ${round} of ${rounds}, ${name} ${ms.toFixed(0)} ms`);
      }
    }
    for (const [name, ms] of least) times.get(name)?.push(ms);
  }
  progress("");
  return {
    workload,
    rounds,
    times: [...times].map(([contestant, ms]) => ({ contestant, ms: spread(ms) })),
    compared: comparisons.map((comparison) => compare(comparison, times)),
  };
}

async function measure(contestant: Contestant, scratch: string): Promise<number> {
  const run = await contestant.prepare();
  // Otherwise this contestant would pay for what others left unwritten in the page cache.
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

/** On a terminal, one line that is overwritten; elsewhere, one line per call. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}
