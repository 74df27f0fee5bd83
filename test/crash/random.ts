/** A random number stream fully determined by its seed (mulberry32), so that a failure can be replayed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 up to but not including 1. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** True in this share of all cases. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (left.length > 0) taken.push(...left.splice(this.below(left.length), 1));
    return taken;
  }
}
