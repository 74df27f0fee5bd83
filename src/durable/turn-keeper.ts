/**
 * Keeps a turn between pieces of work, since to take one is dear: a kernel lock costs some milliseconds, a small change
 * less than one. It is given back when somebody waits for it, or after a second without work.
 *
 * Work is done one piece at a time, in the order in which it came.
 */
export interface TurnHands<Turn> {
  take(): Promise<Turn>;
  /** Whether somebody else waits for it. */
  isAwaited(turn: Turn): boolean;
  /** `isSpoilt` after a piece of work that threw: nobody knows then how far it came. */
  giveBack(turn: Turn, isSpoilt: boolean): Promise<void>;
}

/** How often it is looked whether somebody waits, without work and at work. */
const idleMs = 10;
const workMs = 50;
const restMs = 1000;

interface Kept<Turn> {
  readonly turn: Turn;
  /** When it was last sure that nobody waits. */
  since: number;
  /** When the last piece of work was done. */
  workedAt: number;
}

export class TurnKeeper<Turn> {
  #kept: Kept<Turn> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pieces = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly hands: TurnHands<Turn>) {}

  /** A piece of work that is given now begins at once. */
  get isAtHand(): boolean {
    return this.#kept !== undefined && this.#pieces === 0 && !this.#isOver();
  }

  use<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#pieces += 1;
    return this.#next(() => this.#do(work));
  }

  /** When all work that was given is done. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#next(() => this.#giveBack(false));
  }

  async #do<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    try {
      if (this.#isOver()) await this.#giveBack(false);
      const now = performance.now();
      this.#kept ??= { turn: await this.hands.take(), since: now, workedAt: now };
      return await work(this.#kept.turn);
    } catch (error) {
      await this.#giveBack(true);
      throw error;
    } finally {
      this.#pieces -= 1;
      if (this.#kept) this.#kept.workedAt = performance.now();
      this.#rest();
    }
  }

  /** A process that has nothing else to do may end meanwhile: the kernel gives the lock back. */
  #rest(): void {
    if (this.#pieces > 0 || !this.#kept) return;
    this.#idle = setTimeout(() => this.#lookRound(), idleMs).unref();
  }

  #lookRound(): void {
    const kept = this.#kept;
    if (!kept || this.#pieces > 0) return;
    const hasRested = performance.now() - kept.workedAt >= restMs;
    if (!hasRested && !this.hands.isAwaited(kept.turn)) {
      this.#rest();
      return;
    }
    // What fails now fails nobody's work: whoever takes the next turn finds it out.
    this.#next(() => (this.#pieces === 0 ? this.#giveBack(false) : Promise.resolve())).catch(() => undefined);
  }

  #isOver(): boolean {
    const kept = this.#kept;
    if (!kept || performance.now() - kept.since < workMs) return false;
    if (this.hands.isAwaited(kept.turn)) return true;
    kept.since = performance.now();
    return false;
  }

  async #giveBack(isSpoilt: boolean): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept) await this.hands.giveBack(kept.turn, isSpoilt);
  }

  #next<T>(piece: () => Promise<T>): Promise<T> {
    const done = this.#last.then(piece);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
