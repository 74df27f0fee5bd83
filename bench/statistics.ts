/** The arithmetic behind the figures: medians, spreads, and the order of contestants in a round. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/**
 * One ratio per round, not the ratio of two medians: whatever slows the machine for a while slows both sides of a round
 * and cancels out.
 */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}

/** Each goes first equally often, so that none always runs on the disk another one has just filled. */
export function rotated<T>(list: readonly T[], round: number): T[] {
  const shift = list.length === 0 ? 0 : round % list.length;
  return [...list.slice(shift), ...list.slice(0, shift)];
}
