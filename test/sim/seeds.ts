/** Many seeds, one after the other, to the first that breaks something. */
import { Coverage } from "./coverage.ts";
import { replayLine } from "./failed-seeds.ts";
import { simulate } from "./simulate.ts";

/** Shared by two files, so that two cores have work. */
export const seedsOfFile = 5_000;

/** Throws with the line that plays the run again. */
export async function runSeeds({ from, count }: { from: number; count: number }): Promise<Coverage> {
  const coverage = new Coverage();
  for (let seed = from; seed < from + count; seed++) {
    const { violation } = await simulate(seed, coverage);
    if (violation) throw new Error(`${violation.message}\n${replayLine(seed)}`);
  }
  return coverage;
}
