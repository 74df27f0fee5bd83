/**
 * Many appends, one write and one sync: what is ready goes together, what comes meanwhile goes with the next.
 *
 * A group is written when the one before it is durable, never earlier, so a crash can damage only one of them. What
 * fails, fails for good: the same failure for everybody who waits and for all that is added later.
 */
export class GroupCommit<Item> {
  #ready: Group<Item> | undefined;
  #underWay: Group<Item> | undefined;
  #working: Promise<void> = Promise.resolve();
  #failure: { readonly cause: unknown } | undefined;

  constructor(private readonly hands: Hands<Item>) {}

  /** Nothing is waiting to be written, so the next one added is the first of its group. */
  get isEmpty(): boolean {
    return this.#ready === undefined;
  }

  /** Nothing is under way either: what is added now is written in a moment. */
  get isIdle(): boolean {
    return this.isEmpty && this.#underWay === undefined;
  }

  add(item: Item): void {
    this.mustGoOn();
    this.#ready ??= newGroup();
    this.#ready.items.push(item);
    if (!this.#underWay && this.#ready.items.length === 1) this.#working = this.#commitAll();
  }

  /** Resolved when all that was added so far is durable. */
  durable(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.cause);
    return (this.#ready ?? this.#underWay)?.settled ?? Promise.resolve();
  }

  /** Resolved when no write or sync is under way any more, however it went. */
  ended(): Promise<void> {
    return this.#working;
  }

  /** Throws what failed earlier. */
  mustGoOn(): void {
    if (this.#failure) throw this.#failure.cause;
  }

  /** Nothing more is written. */
  fail(cause: unknown): void {
    this.#failure ??= { cause };
    for (const group of [this.#underWay, this.#ready]) group?.reject(this.#failure.cause);
    this.#underWay = undefined;
    this.#ready = undefined;
  }

  async #commitAll(): Promise<void> {
    // A moment's patience: whatever else is ready in this turn of the loop shares the write.
    await undefined;
    while (this.#ready) {
      const group = this.#ready;
      this.#ready = undefined;
      this.#underWay = group;
      try {
        this.hands.write(group.items);
        await this.hands.sync();
      } catch (error) {
        this.fail(error);
        return;
      }
      // Failed meanwhile: what is durable by now is for the next process to find out.
      if (this.#failure) return;
      this.#underWay = undefined;
      group.resolve();
    }
  }
}

export interface Hands<Item> {
  write(items: readonly Item[]): void;
  sync(): Promise<void>;
}

interface Group<Item> {
  readonly items: Item[];
  readonly settled: Promise<void>;
  resolve(): void;
  reject(cause: unknown): void;
}

function newGroup<Item>(): Group<Item> {
  let resolve: () => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const settled = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Nobody need be waiting when it fails: whoever comes next is told.
  settled.catch(() => undefined);
  return { items: [], settled, resolve, reject };
}
