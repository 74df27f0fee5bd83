/** The one line that plays a run again. */
export function replayLine(seed: number): string {
  return `node dist/test/sim/main.js --seed ${seed}`;
}
