/**
 * An inverted index over sections, ranked by BM25: words of a heading weigh more, rare words weigh more, long texts less.
 *
 * Pure and incremental: a document that is put again replaces what was known of it. What is replaced is marked as dead
 * and swept out when it is more than what lives. Memory is bounded: beyond a number of entries only the headings of
 * further documents are taken in.
 */
import { numberOf, Vocabulary, weightOf } from "./vocabulary.ts";
import { eachWord, type Query } from "./words.ts";

export interface IndexedSection {
  /** None for what stands before the first heading. */
  readonly slug?: string;
  readonly heading: string;
  /** What it stands below: the title of the document, headings around it, its path. */
  readonly context: string;
  readonly text: string;
}

export interface Hit {
  readonly path: string;
  readonly slug?: string;
  readonly score: number;
}

export interface SearchWish {
  readonly limit: number;
  /** Only documents whose path begins like this. */
  readonly below?: string;
}

interface Entry {
  readonly path: string;
  readonly slug?: string;
}

/** In place of a length. */
const dead = -1;

export class SearchIndex {
  readonly #vocabulary = new Vocabulary();
  /** By number. */
  #entries: Entry[] = [];
  /** Their words, by number, beside them: a search goes through all that have a word, and through little else. */
  #lengths: number[] = [];
  readonly #numbers = new Map<string, number[]>();
  #live = 0;
  #lengthsTotal = 0;
  readonly #postingsMax: number;

  constructor({ postingsMax = usualPostingsMax }: { readonly postingsMax?: number } = {}) {
    this.#postingsMax = postingsMax;
  }

  put(path: string, sections: readonly IndexedSection[]): void {
    this.remove(path);
    let room = textMax;
    const numbers = sections.map((section) => {
      const text = section.text.slice(0, room);
      room -= text.length;
      return this.#add(path, { ...section, text });
    });
    this.#numbers.set(path, numbers);
  }

  remove(path: string): void {
    for (const number of this.#numbers.get(path) ?? []) {
      this.#lengthsTotal -= this.#lengths[number] ?? 0;
      this.#lengths[number] = dead;
      this.#live -= 1;
    }
    this.#numbers.delete(path);
    if (this.#entries.length > 2 * this.#live + sweepMin) this.#sweep();
  }

  /** Best first; with how many there are altogether. */
  search(
    query: Query,
    { limit, below = "/" }: SearchWish,
  ): { readonly hits: readonly Hit[]; readonly total: number } {
    const scores = new Scores(this.#entries.length);
    for (const word of query.words) this.#count(scores, [word]);
    if (query.prefix !== undefined)
      this.#count(scores, this.#vocabulary.beginningWith(query.prefix, prefixMax));
    const wanted = query.words.length + (query.prefix === undefined ? 0 : 1);
    const hits: Hit[] = [];
    let total = 0;
    for (const number of scores.touched) {
      if (below !== "/" && !this.#entries[number]?.path.startsWith(below)) continue;
      total += 1;
      // Whoever gives three words means a text that has all three.
      const score = (scores.sum[number] ?? 0) * ((scores.words[number] ?? 0) / wanted);
      // Most come nowhere near.
      if (hits.length === limit && score < (hits[limit - 1]?.score ?? 0)) continue;
      const entry = this.#entries[number];
      if (entry) keepBest(hits, { ...entry, score }, limit);
    }
    return { hits, total };
  }

  #add(path: string, { slug, heading, context, text }: IndexedSection): number {
    const number = this.#entries.length;
    let length = 0;
    const take = (words: string, weight: number) =>
      eachWord(words, (word) => {
        this.#vocabulary.add(word, { number, weight });
        length += 1;
      });
    take(heading, headingWeight);
    take(context, 1);
    if (this.#vocabulary.postings < this.#postingsMax) take(text, 1);
    this.#entries.push({ path, ...(slug !== undefined && { slug }) });
    this.#lengths.push(length);
    this.#live += 1;
    this.#lengthsTotal += length;
    return number;
  }

  /** Several words count as one: those that begin with the same letters. */
  #count(scores: Scores, words: readonly string[]): void {
    const weights = new Uint8Array(this.#entries.length);
    const found: number[] = [];
    for (const word of words) {
      for (const packed of this.#vocabulary.postingsOf(word)) {
        const number = numberOf(packed);
        if (this.#lengths[number] === dead) continue;
        if (weights[number] === 0) found.push(number);
        weights[number] = Math.max(weights[number] ?? 0, weightOf(packed));
      }
    }
    const rarity = Math.log(1 + (this.#live - found.length + 0.5) / (found.length + 0.5));
    const usual = this.#lengthsTotal / Math.max(1, this.#live);
    for (const number of found) {
      const weight = weights[number] ?? 0;
      const length = this.#lengths[number] ?? 0;
      const slow = saturation * (1 - lengthShare + lengthShare * (length / usual));
      scores.add(number, (rarity * weight * (saturation + 1)) / (weight + slow));
    }
  }

  #sweep(): void {
    const numbers = new Map<number, number>();
    this.#lengths.forEach((length, number) => {
      if (length !== dead) numbers.set(number, numbers.size);
    });
    this.#vocabulary.renumber(numbers);
    this.#entries = this.#entries.filter((_, number) => this.#lengths[number] !== dead);
    this.#lengths = this.#lengths.filter((length) => length !== dead);
    for (const [path, olds] of this.#numbers) {
      this.#numbers.set(
        path,
        olds.flatMap((old) => numbers.get(old) ?? []),
      );
    }
  }
}

/** Eight bytes each, with some hundred thousand words beside them: less than 100 MB. */
const usualPostingsMax = 8_000_000;
/** Characters of one document. What lies behind them is found by its headings. */
const textMax = 400_000;
const sweepMin = 1_000;
const prefixMax = 100;
const headingWeight = 4;
/** BM25's k1 and b, as everybody has them. */
const saturation = 1.2;
const lengthShare = 0.75;

class Scores {
  readonly sum: Float64Array;
  /** How many words of the query each has. */
  readonly words: Uint8Array;
  readonly touched: number[] = [];

  constructor(count: number) {
    this.sum = new Float64Array(count);
    this.words = new Uint8Array(count);
  }

  add(number: number, score: number): void {
    if (this.words[number] === 0) this.touched.push(number);
    this.words[number] = (this.words[number] ?? 0) + 1;
    this.sum[number] = (this.sum[number] ?? 0) + score;
  }
}

function keepBest(hits: Hit[], hit: Hit, limit: number): void {
  const last = hits.at(-1);
  if (hits.length === limit && last && !comesBefore(hit, last)) return;
  let at = hits.length;
  while (at > 0 && comesBefore(hit, hits[at - 1] ?? hit)) at -= 1;
  hits.splice(at, 0, hit);
  if (hits.length > limit) hits.pop();
}

/** Equals in the order of their paths, so that the same documents always answer the same. */
function comesBefore(one: Hit, other: Hit): boolean {
  if (one.score !== other.score) return one.score > other.score;
  if (one.path !== other.path) return one.path < other.path;
  return (one.slug ?? "") < (other.slug ?? "");
}
