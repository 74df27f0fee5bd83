/** Seeds that once failed, each with what it found, and how to replay them. */
export interface FailedSeed {
  readonly seed: number;
  readonly found: string;
}

/**
 * A seed keeps its meaning only while the simulation does not change. Each of these was seen to find its mistake in the
 * simulation as it is today.
 */
export const failedSeeds: readonly FailedSeed[] = [
  {
    seed: 1,
    found: "people were told of events that came while the disk was busy with those before them",
  },
  {
    seed: 4,
    found: "the loop broke when an answer came while its last decision was on the way to the disk",
  },
  {
    seed: 31,
    found:
      "an act that failed because the lock was gone threw through the loop, and ended the process without a word",
  },
  {
    seed: 72,
    found: "a run that was stopped between a dispatch and its start waited for that turn for ever",
  },
  {
    seed: 3193,
    found: "the loop broke when a task was taken back while its reply was being read",
  },
  {
    seed: 5,
    found:
      "a desk that was worked at in another round, between two audits, was taken for one that somebody else had written to",
  },
];

/** The command line that replays a run. */
export function replayLine(seed: number): string {
  return `to see it again: node dist/test/sim/main.js --seed ${seed}`;
}
