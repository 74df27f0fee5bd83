/**
 * A set of small whole numbers that answers "the first member from here on" in a handful of steps, whatever its size.
 *
 * It has three layers of 32-bit words; each bit of a layer says whether a word below it holds anything. 32,768 words
 * are enough for a million members. It finds the next task without a heap that would have to be rebuilt.
 */
export class RankSet {
  readonly #bits: Uint32Array;
  readonly #words: Uint32Array;
  readonly #groups: Uint32Array;
  #size = 0;

  constructor(readonly capacity: number) {
    this.#bits = new Uint32Array(Math.ceil(capacity / 32) + 1);
    this.#words = new Uint32Array(Math.ceil(this.#bits.length / 32) + 1);
    this.#groups = new Uint32Array(Math.ceil(this.#words.length / 32) + 1);
  }

  get size(): number {
    return this.#size;
  }

  has(rank: number): boolean {
    return ((this.#bits[rank >>> 5] ?? 0) & (1 << (rank & 31))) !== 0;
  }

  add(rank: number): void {
    if (this.has(rank)) return;
    this.#size += 1;
    set(this.#bits, rank);
    set(this.#words, rank >>> 5);
    set(this.#groups, rank >>> 10);
  }

  delete(rank: number): void {
    if (!this.has(rank)) return;
    this.#size -= 1;
    clear(this.#bits, rank);
    if (this.#bits[rank >>> 5] === 0) clear(this.#words, rank >>> 5);
    if (this.#words[rank >>> 10] === 0) clear(this.#groups, rank >>> 10);
  }

  /** The first member that is at least `from`. */
  next(from: number): number | undefined {
    const inWord = firstFrom(this.#bits, from);
    if (inWord !== undefined) return inWord;
    const word = firstFrom(this.#words, (from >>> 5) + 1) ?? this.#wordFrom(((from >>> 5) + 1) >>> 5);
    return word === undefined ? undefined : firstFrom(this.#bits, word << 5);
  }

  #wordFrom(group: number): number | undefined {
    for (let at = group + 1; at >>> 5 < this.#groups.length; ) {
      const found = firstFrom(this.#groups, at);
      if (found !== undefined) return firstFrom(this.#words, found << 5);
      at = ((at >>> 5) + 1) << 5;
    }
    return undefined;
  }
}

function set(layer: Uint32Array, bit: number): void {
  layer[bit >>> 5] = (layer[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

function clear(layer: Uint32Array, bit: number): void {
  layer[bit >>> 5] = (layer[bit >>> 5] ?? 0) & ~(1 << (bit & 31));
}

/** The first set bit at or after `from` within its own word. */
function firstFrom(layer: Uint32Array, from: number): number | undefined {
  const word = (layer[from >>> 5] ?? 0) & (-1 << (from & 31));
  return word === 0 ? undefined : ((from >>> 5) << 5) + (31 - Math.clz32(word & -word));
}
