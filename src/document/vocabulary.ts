import { ownCopy } from "../std/own-copy.ts";

/** The words that are known, each with the sections it stands in and how much it weighs there. */
export interface Posting {
  readonly number: number;
  readonly weight: number;
}

export class Vocabulary {
  /** A posting is one small integer: the number of the section, and a weight of at most 255 in its last byte. */
  readonly #lists = new Map<string, number[]>();
  #sorted: string[] = [];
  /** Since the last sorting. */
  #added: string[] = [];
  #postings = 0;

  get postings(): number {
    return this.#postings;
  }

  /** Sections come one after the other: a word that is added again to the last one weighs more there. */
  add(word: string, { number, weight }: Posting): void {
    const list = this.#lists.get(word) ?? this.#begin(word);
    const at = list.length - 1;
    const last = list[at];
    if (last !== undefined && last >= number * weights) {
      list[at] = Math.min(last + weight, number * weights + weights - 1);
    } else {
      list.push(number * weights + Math.min(weight, weights - 1));
      this.#postings += 1;
    }
  }

  /** The sections it stands in, in order, packed: see `numberOf` and `weightOf`. */
  postingsOf(word: string): readonly number[] {
    return this.#lists.get(word) ?? [];
  }

  /** Words with that beginning, up to a number. */
  beginningWith(prefix: string, limit: number): string[] {
    if (this.#added.length > addedMax + this.#sorted.length / 16) this.#sort();
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); found.length < limit; at += 1) {
      const word = this.#sorted[at];
      if (!word?.startsWith(prefix)) break;
      if (this.#lists.has(word)) found.push(word);
    }
    for (const word of this.#added) {
      if (found.length >= limit) break;
      if (word.startsWith(prefix)) found.push(word);
    }
    return found;
  }

  /** From old numbers to new ones; what has none is dropped. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    this.#postings = 0;
    for (const [word, list] of this.#lists) {
      const kept = list.flatMap((packed) => {
        const number = numbers.get(numberOf(packed));
        return number === undefined ? [] : [number * weights + weightOf(packed)];
      });
      if (kept.length === 0) this.#lists.delete(word);
      else this.#lists.set(word, kept);
      this.#postings += kept.length;
    }
    this.#sort();
  }

  #begin(word: string): number[] {
    const list: number[] = [];
    const own = ownCopy(word);
    this.#lists.set(own, list);
    this.#added.push(own);
    return list;
  }

  #sort(): void {
    this.#sorted = [...this.#lists.keys()].sort();
    this.#added = [];
  }

  #firstFrom(prefix: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Of a packed posting. */
export function numberOf(packed: number): number {
  return Math.floor(packed / weights);
}

export function weightOf(packed: number): number {
  return packed % weights;
}

const weights = 256;
/** So many are looked through one by one before all are sorted anew. */
const addedMax = 2_000;
