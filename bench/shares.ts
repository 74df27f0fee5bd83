/** Where the time of a run goes: calls that wait for somebody else are timed, and the rest is ours. */
export class Shares {
  readonly #sums: Map<string, number>;
  /** For each run, what each share took. */
  readonly #runs: { total: number; parts: ReadonlyMap<string, number> }[] = [];
  #began = 0;

  constructor(names: readonly string[]) {
    this.#sums = new Map(names.map((name) => [name, 0]));
  }

  begin(): void {
    for (const name of this.#sums.keys()) this.#sums.set(name, 0);
    this.#began = performance.now();
  }

  end(): void {
    this.#runs.push({ total: performance.now() - this.#began, parts: new Map(this.#sums) });
  }

  /** The same object, with these calls timed. */
  around<T extends object>(name: string, thing: T, calls: readonly (keyof T)[]): T {
    const counted = Object.create(thing) as T;
    for (const call of calls) {
      const original = thing[call] as (...given: unknown[]) => unknown;
      counted[call] = ((...given: unknown[]) => {
        const began = performance.now();
        const answer = original.apply(thing, given);
        if (answer instanceof Promise) return this.#until(name, began, answer);
        this.#add(name, began);
        return answer;
      }) as T[typeof call];
    }
    return counted;
  }

  during<T>(name: string, promise: Promise<T>): Promise<T> {
    return this.#until(name, performance.now(), promise);
  }

  /** The median run, divided by `count` pieces of work. */
  lines(count: number): string[] {
    const sorted = [...this.#runs].sort((one, other) => one.total - other.total);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (!middle) return [];
    const parts = [...middle.parts];
    const ours = middle.total - parts.reduce((sum, [, ms]) => sum + ms, 0);
    return [["all", middle.total] as const, ...parts, ["ours", ours] as const].map(
      ([name, ms]) =>
        `${name}: ${(ms / count).toFixed(1)} ms a task (${Math.round((100 * ms) / middle.total)} %)`,
    );
  }

  async #until<T>(name: string, began: number, promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } finally {
      this.#add(name, began);
    }
  }

  #add(name: string, began: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + performance.now() - began);
  }
}
