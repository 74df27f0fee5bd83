/**
 * Keeps a turn between pieces of work, since to take one is dear: a kernel lock costs some milliseconds, a small change
 * less than one. It is given back after a moment without work, or of too much of it, so that nobody else starves.
 *
 * Work is done one piece at a time, in the order in which it came.
 */
export interface TurnHands<Turn> {
  take(): Promise<Turn>;
  /** `isSpoilt` after a piece of work that threw: nobody knows then how far it came. */
  giveBack(turn: Turn, isSpoilt: boolean): Promise<void>;
}

const idleMs = 10;
const workMs = 50;

export class TurnKeeper<Turn> {
  #kept: { readonly turn: Turn; readonly since: number } | undefined;
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
      this.#kept ??= { turn: await this.hands.take(), since: performance.now() };
      return await work(this.#kept.turn);
    } catch (error) {
      await this.#giveBack(true);
      throw error;
    } finally {
      this.#pieces -= 1;
      if (this.#pieces === 0 && this.#kept) this.#idle = setTimeout(() => this.#rest(), idleMs);
    }
  }

  #rest(): void {
    // What fails now fails nobody's work: whoever takes the next turn finds it out.
    this.#next(() => (this.#pieces === 0 ? this.#giveBack(false) : Promise.resolve())).catch(() => undefined);
  }

  #isOver(): boolean {
    return this.#kept !== undefined && performance.now() - this.#kept.since >= workMs;
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
