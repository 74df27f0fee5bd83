/** All known words, each with the sections that contain it, how often, and whether in the title. */
import { ownCopy } from "../../std/own-copy.ts";
import { type PostingList, PostingLists } from "./posting-lists.ts";

/** Where in a section a word occurs. */
export const inText = 0;
export const inTitle = 128;
/** In the path of the document. */
export const inPath = 64;

export class SearchVocabulary {
  readonly #words = new Map<string, PostingList>();
  /** A posting is one integer: the section's number, and in the last byte the marks and the count. */
  #postings = new PostingLists();
  #sorted: string[] = [];
  /** Words added since the last sort. */
  #added: string[] = [];

  get postings(): number {
    return this.#postings.count;
  }

  /** Approximate memory use in bytes, measured with English words and with words that are all distinct. */
  get bytes(): number {
    return 5 * this.#postings.count + 160 * this.#words.size;
  }

  /** Sections must be added in order. */
  add(word: string, number: number, mark: number): void {
    const list = this.#words.get(word) ?? this.#begin(word);
    const postings = this.#postings;
    const last = postings.lastOf(list);
    const least = number * perNumber;
    if (last < least) {
      postings.add(list, least + mark + 1);
      return;
    }
    const often = Math.min((last & oftenMask) + 1, oftenMask);
    postings.changeLast(list, least + (((last & ~oftenMask) | mark) & marksMask) + often);
  }

  /**
   * The sections with the word, in order, packed: see `numberOf`, `oftenOf` and the marks. Valid until the next call.
   */
  postingsOf(word: string): Uint32Array {
    const list = this.#words.get(word);
    return list ? this.#postings.read(list) : none;
  }

  /** The word itself and others that start with it, up to a limit. */
  beginningWith(prefix: string, limit: number): string[] {
    if (this.#added.length > addedMax + this.#sorted.length / 16) this.#sort();
    const found = this.#words.has(prefix) ? [prefix] : [];
    const take = (word: string) => {
      if (word !== prefix && found.length < limit) found.push(word);
    };
    for (let at = this.#firstFrom(prefix); found.length < limit; at += 1) {
      const word = this.#sorted[at];
      if (!word?.startsWith(prefix)) break;
      take(word);
    }
    for (const word of this.#added) if (word.startsWith(prefix)) take(word);
    return found;
  }

  /** Maps old numbers to new ones; postings without a new number are dropped. */
  renumber(numbers: ReadonlyMap<number, number>): void {
    const before = this.#postings;
    this.#postings = new PostingLists();
    for (const [word, list] of this.#words) {
      const kept = this.#postings.begin();
      for (const packed of before.read(list)) {
        const number = numbers.get(numberOf(packed));
        if (number !== undefined) this.#postings.add(kept, number * perNumber + (packed & lastByte));
      }
      if (kept.count === 0) this.#words.delete(word);
      else this.#words.set(word, kept);
    }
    this.#added = [];
    this.#sorted = [...this.#words.keys()].sort();
  }

  #begin(word: string): PostingList {
    const list = this.#postings.begin();
    const own = ownCopy(word);
    this.#words.set(own, list);
    this.#added.push(own);
    return list;
  }

  /** Sorts only the added words, then merges them in. */
  #sort(): void {
    const added = this.#added.sort();
    const merged: string[] = [];
    let at = 0;
    for (const word of this.#sorted) {
      for (let next = added[at]; next !== undefined && next < word; next = added[at]) {
        merged.push(next);
        at += 1;
      }
      merged.push(word);
    }
    for (; at < added.length; at += 1) merged.push(added[at] ?? "");
    this.#sorted = merged;
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

/** The section's number in a packed posting. */
export function numberOf(packed: number): number {
  return packed >>> 8;
}

export function oftenOf(packed: number): number {
  return packed & oftenMask;
}

const none = new Uint32Array(0);
const perNumber = 256;
const lastByte = perNumber - 1;
const marksMask = inTitle | inPath;
const oftenMask = lastByte & ~marksMask;
/** Up to this many added words are scanned one by one before all are sorted again. */
const addedMax = 2_000;
