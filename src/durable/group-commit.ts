/**
 * Many appends, one write and one sync: everything that is ready is written together, and what arrives meanwhile goes
 * into the next group.
 *
 * A group is written only when the one before it is durable, so a crash can damage only one of them. A failure is
 * final: everyone waiting, and everything added later, gets the same error.
 */
export class GroupCommit<Item> {
  #ready: Group<Item> | undefined;
  #underWay: Group<Item> | undefined;
  #working: Promise<void> = Promise.resolve();
  #failure: { readonly cause: unknown } | undefined;

  constructor(private readonly ports: GroupCommitPort<Item>) {}

  /** Nothing is waiting to be written, so the next item added is the first of its group. */
  get isEmpty(): boolean {
    return this.#ready === undefined;
  }

  /** Nothing is being written either: an item added now is written in a moment. */
  get isIdle(): boolean {
    return this.isEmpty && this.#underWay === undefined;
  }

  add(item: Item): void {
    this.mustGoOn();
    this.#ready ??= newGroup();
    this.#ready.items.push(item);
    if (!this.#underWay && this.#ready.items.length === 1) this.#working = this.#commitAll();
  }

  /** Resolves when everything added so far is durable. */
  durable(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.cause);
    return (this.#ready ?? this.#underWay)?.settled ?? Promise.resolve();
  }

  /** Resolves when no write or sync is running any more, whatever the outcome. */
  ended(): Promise<void> {
    return this.#working;
  }

  /** Throws the earlier failure, if there was one. */
  mustGoOn(): void {
    if (this.#failure) throw this.#failure.cause;
  }

  /** Fails for good: nothing more is written. */
  fail(cause: unknown): void {
    this.#failure ??= { cause };
    for (const group of [this.#underWay, this.#ready]) group?.reject(this.#failure.cause);
    this.#underWay = undefined;
    this.#ready = undefined;
  }

  async #commitAll(): Promise<void> {
    // Wait a moment, so that everything else added in this turn of the event loop shares the write.
    await undefined;
    while (this.#ready) {
      const group = this.#ready;
      this.#ready = undefined;
      this.#underWay = group;
      try {
        this.ports.write(group.items);
        await this.ports.sync();
      } catch (error) {
        this.fail(error);
        return;
      }
      // It failed meanwhile: the next process will find out what is durable.
      if (this.#failure) return;
      this.#underWay = undefined;
      group.resolve();
    }
  }
}

export interface GroupCommitPort<Item> {
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
  // Nobody may be waiting when it fails; the next caller gets the error.
  settled.catch(() => undefined);
  return { items: [], settled, resolve, reject };
}
