/**
 * Virtual time, and the choice of what happens next. Every await of a simulated port is a gate that stays closed until
 * it is picked, so the seed alone determines the order of events.
 *
 * Everything that waits belongs to an owner. Nothing more happens for an owner that is gone.
 */
import type { RunClock } from "../../src/world/time/run-clock.ts";
import type { Random } from "../crash/random.ts";

export type Owner = number;
/** The owner of agents, the person, and everything else that outlives our processes. */
export const world: Owner = 0;

interface Item {
  readonly owner: Owner;
  readonly label: string;
  readonly go: () => void;
}

interface Timer extends Item {
  readonly at: number;
}

export class Scheduler {
  /** Milliseconds. */
  now = 0;
  /** The most time that passes in one step. */
  paceMs = 300;
  steps = 0;
  #ready: Item[] = [];
  #timers: Timer[] = [];
  readonly #gone = new Set<Owner>();

  constructor(
    private readonly random: Random,
    private readonly note: (line: string) => void,
  ) {}

  /** Resolves when it is picked; never, if the owner is gone. */
  gate(owner: Owner, label: string): Promise<void> {
    return new Promise((go) => this.later(owner, label, go));
  }

  later(owner: Owner, label: string, go: () => void): void {
    if (!this.#gone.has(owner)) this.#ready.push({ owner, label, go });
  }

  /** A clock as one process sees it: elapsed time since its own start, and a wall clock that may be wrong. */
  clockOf(owner: Owner, wallSkewMs: number): RunClock {
    const began = this.now;
    return {
      elapsed: () => this.now - began,
      now: () => epochMs + wallSkewMs + this.now,
      after: (ms, go) => this.#after(owner, ms, go),
    };
  }

  #after(owner: Owner, ms: number, go: () => void): () => void {
    const timer = { owner, label: "timer", go, at: this.now + Math.max(0, ms) };
    if (!this.#gone.has(owner)) this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Nothing more happens for this owner. */
  drop(owner: Owner): void {
    this.#gone.add(owner);
    this.#ready = this.#ready.filter((item) => item.owner !== owner);
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  /** The owner may still learn the results of what it has done, but begins nothing more. */
  freeze(owner: Owner): void {
    this.#gone.add(owner);
    this.#ready = this.#ready.filter((item) => item.owner !== owner || /done$|ended$/.test(item.label));
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  /** Removes what waits under this label, as if it had never been added. */
  forget(owner: Owner, label: string): void {
    this.#ready = this.#ready.filter((item) => item.owner !== owner || item.label !== label);
  }

  /** Lets one thing happen, with everything that follows up to the next gates; false if nothing can happen. */
  async step(): Promise<boolean> {
    const isMoving = this.#step();
    await quiet();
    return isMoving;
  }

  #step(): boolean {
    this.steps += 1;
    this.now += this.random.below(this.paceMs + 1);
    const due = this.#timers.filter(({ at }) => at <= this.now);
    const count = this.#ready.length + due.length;
    if (count === 0) return this.#jump();
    const at = this.random.below(count);
    const timer = due[at - this.#ready.length];
    if (timer) this.#ring(timer);
    else this.#pick(at);
    return true;
  }

  #pick(at: number): void {
    const [item] = this.#ready.splice(at, 1);
    if (!item) return;
    this.note(`${this.now} ${item.owner} ${item.label}`);
    item.go();
  }

  /** Nothing else is left to do, so time jumps to the next timer. */
  #jump(): boolean {
    const next = this.#timers.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
      undefined,
    );
    if (!next) return false;
    this.now = next.at;
    this.#ring(next);
    return true;
  }

  #ring(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
    this.note(`${this.now} ${timer.owner} timer`);
    timer.go();
  }
}

/** Waits until every resolved promise has run to its next await. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const epochMs = 1_700_000_000_000;
