/**
 * Limits how long something may take, in total and without a sign of life. Measured in run time, so a suspended machine
 * causes no timeout.
 */
import type { RunClock } from "../../world/time/run-clock.ts";

export interface Limits {
  readonly wallMs: number;
  readonly stallMs: number;
}

export type Exceeded = "wall" | "stall";

export class Supervision {
  readonly #started: number;
  #lastSign: number;
  #takeBack: () => void = () => {};
  exceeded: Exceeded | undefined;

  /** `onLate` is called at most once. */
  constructor(
    private readonly clock: RunClock,
    private readonly limits: Limits,
    private readonly onLate: (limit: Exceeded) => void,
  ) {
    this.#started = clock.elapsed();
    this.#lastSign = this.#started;
    this.#arm();
  }

  noteSign(): void {
    this.#lastSign = this.clock.elapsed();
  }

  get elapsedMs(): number {
    return Math.round(this.clock.elapsed() - this.#started);
  }

  end(): void {
    this.#takeBack();
  }

  /** One timer for both limits: it checks again when the nearer limit may have been reached. */
  #arm(): void {
    const now = this.clock.elapsed();
    const wallLeft = this.#started + this.limits.wallMs - now;
    const stallLeft = this.#lastSign + this.limits.stallMs - now;
    if (wallLeft <= 0 || stallLeft <= 0) {
      this.exceeded = wallLeft <= 0 ? "wall" : "stall";
      this.onLate(this.exceeded);
      return;
    }
    this.#takeBack = this.clock.after(Math.min(wallLeft, stallLeft), () => this.#arm());
  }
}
