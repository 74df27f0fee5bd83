/** Seeds that once failed, each with what it found, and how to see any of them again. */
export interface FailedSeed {
  readonly seed: number;
  readonly found: string;
}

/** A seed means the same only as long as nothing about the simulation changes: each was seen to find it as it is today. */
export const failedSeeds: readonly FailedSeed[] = [
  {
    seed: 1,
    found: "people were told of events that came while the disk was busy with those before them",
  },
  {
    seed: 6,
    found: "the loop broke when an answer came while its last decision was on the way to the disk",
  },
  {
    seed: 166,
    found:
      "an act that failed because the lock was gone threw through the loop, and ended the process without a word",
  },
  {
    seed: 75,
    found: "a run that was stopped between a dispatch and its start waited for that turn for ever",
  },
  {
    seed: 3268,
    found: "the loop broke when a task was taken back while its reply was being read",
  },
  {
    seed: 628,
    found:
      "a desk that was worked at in another round, between two audits, was taken for one that somebody else had written to",
  },
];

/** The one line that plays a run again. */
export function replayLine(seed: number): string {
  return `to see it again: node dist/test/sim/main.js --seed ${seed}`;
}
