/**
 * Converts run time to wall-clock time: for people, never for deadlines.
 *
 * Run time stands still while nobody works on a run, so the two drift apart at every stop and suspension. Each such point
 * is remembered from the log; between two of them both run at the same speed.
 */
import type { Moment } from "../kernel/moment.ts";

export class RunTimes {
  /** In order of run time. */
  readonly #turns: Moment[] = [];

  /** Call it for each event of the log, in order. */
  add(moment: Moment): void {
    const last = this.#turns.at(-1);
    const drift = last ? moment.at - moment.time - (last.at - last.time) : Number.POSITIVE_INFINITY;
    if (Math.abs(drift) > driftMaxMs) this.#turns.push({ at: moment.at, time: moment.time });
  }

  /** Milliseconds since 1970; `now` is used if no event was added. */
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

/** Nobody reads log times more precisely than to the second. */
const driftMaxMs = 500;

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
