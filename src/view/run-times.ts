/**
 * When it was by the wall, for a moment that is known in run time: for people, never for deadlines.
 *
 * Run time stands still while nobody works at a run, so the two drift apart at every stop and suspension. What the log
 * says of both is remembered wherever that happened; between two such places they go alike.
 */

/** One moment by both clocks: `at` in milliseconds since 1970, `time` in milliseconds of run time. */
export interface Moment {
  readonly at: number;
  readonly time: number;
}

export class RunTimes {
  /** In the order of run time. */
  readonly #turns: Moment[] = [];

  /** Each event of the log, in its order. */
  add(moment: Moment): void {
    const last = this.#turns.at(-1);
    const drift = last ? moment.at - moment.time - (last.at - last.time) : Number.POSITIVE_INFINITY;
    if (Math.abs(drift) > driftMaxMs) this.#turns.push({ at: moment.at, time: moment.time });
  }

  /** Milliseconds since 1970; `now` answers for a log that was not seen. */
  wallTime(time: number, now: Moment): number {
    let low = 0;
    let high = this.#turns.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#turns[middle] as Moment).time < time) low = middle + 1;
      else high = middle;
    }
    const known = this.#turns[Math.max(0, low - 1)] ?? now;
    return known.at + (time - known.time);
  }
}

/** Nobody reads a time of a log to less than a second. */
const driftMaxMs = 500;

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
