/** Seeds that once failed, each with what it found, and how to see any of them again. */
export interface FailedSeed {
  readonly seed: number;
  readonly found: string;
}

export const failedSeeds: readonly FailedSeed[] = [];

/** The one line that plays a run again. */
export function replayLine(seed: number): string {
  return `to see it again: node dist/test/sim/main.js --seed ${seed}`;
}
