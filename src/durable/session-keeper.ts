/**
 * Keeps a write session open between pieces of work, because opening one is expensive: a kernel lock costs some
 * milliseconds, a small change less than one. The session ends when somebody else waits for it, or after a second
 * without work.
 *
 * Work is done one piece at a time, in order of arrival.
 */
export interface SessionPorts<Turn> {
  take(): Promise<Turn>;
  /** Whether somebody else is waiting for it. */
  isAwaited(turn: Turn): boolean;
  /** `isSpoilt` is set after work that threw: then nobody knows how far it got. */
  giveBack(turn: Turn, isSpoilt: boolean): Promise<void>;
}

/** How often to check whether somebody is waiting, when idle and when busy. */
const idleMs = 10;
const workMs = 50;
const restMs = 1000;

interface Kept<Turn> {
  readonly turn: Turn;
  /** When it was last certain that nobody was waiting. */
  since: number;
  /** When the last piece of work ended. */
  workedAt: number;
}

export class SessionKeeper<Turn> {
  #kept: Kept<Turn> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pieces = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly ports: SessionPorts<Turn>) {}

  /** Whether work submitted now would start at once. */
  get isAtHand(): boolean {
    return this.#kept !== undefined && this.#pieces === 0 && !this.#isOver();
  }

  use<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#pieces += 1;
    return this.#next(() => this.#do(work));
  }

  /** Closes once all submitted work is done. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#next(() => this.#giveBack(false));
  }

  async #do<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    try {
      if (this.#isOver()) await this.#giveBack(false);
      const now = performance.now();
      this.#kept ??= { turn: await this.ports.take(), since: now, workedAt: now };
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

  /** The process may exit meanwhile if it has nothing else to do: the kernel then releases the lock. */
  #rest(): void {
    if (this.#pieces > 0 || !this.#kept) return;
    this.#idle = setTimeout(() => this.#lookRound(), idleMs).unref();
  }

  #lookRound(): void {
    const kept = this.#kept;
    if (!kept || this.#pieces > 0) return;
    const hasRested = performance.now() - kept.workedAt >= restMs;
    if (!hasRested && !this.ports.isAwaited(kept.turn)) {
      this.#rest();
      return;
    }
    // A failure here affects nobody's work: whoever takes the next session finds out.
    this.#next(() => (this.#pieces === 0 ? this.#giveBack(false) : Promise.resolve())).catch(() => undefined);
  }

  #isOver(): boolean {
    const kept = this.#kept;
    if (!kept || performance.now() - kept.since < workMs) return false;
    if (this.ports.isAwaited(kept.turn)) return true;
    kept.since = performance.now();
    return false;
  }

  async #giveBack(isSpoilt: boolean): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept) await this.ports.giveBack(kept.turn, isSpoilt);
  }

  #next<T>(piece: () => Promise<T>): Promise<T> {
    const done = this.#last.then(piece);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
