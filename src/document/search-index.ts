/**
 * An inverted index over sections: what is in it, and which of it a query finds, best first (`ranking.ts`).
 *
 * Pure and incremental: a document that is put again replaces what was known of it. What is replaced is marked as dead
 * and swept out when it is more than what lives. Memory is bounded: when it is full, the texts of further documents are
 * left out, and it knows of which.
 */
import { type Found, Ranking, type SectionFacts } from "./ranking.ts";
import { inPath, inText, inTitle, Vocabulary } from "./vocabulary.ts";
import { eachWord, type Query, readQuery } from "./words.ts";

/** The first one of a document is around all others. */
export interface IndexedSection {
  /** Which one of the document's sections; none for the document as a whole, or what stands before its first heading. */
  readonly index?: number;
  readonly title: string;
  /** The one it stands in, by its place in the list. */
  readonly parent: number;
  readonly text: string;
}

export interface Hit {
  readonly path: string;
  readonly index?: number;
  readonly score: number;
}

export interface SearchWish {
  readonly limit: number;
  /** Only documents whose path begins like this. */
  readonly below?: string;
}

export class SearchIndex {
  readonly #vocabulary = new Vocabulary();
  /** By number. */
  #sections: Entry[] = [];
  readonly #documents = new Map<string, Indexed>();
  /** Those of which not all is in it. */
  readonly #partial = new Set<string>();
  #live: Live = { sections: 0, words: 0, postings: 0 };
  readonly #bytesMax: number;

  constructor({ bytesMax = usualBytesMax }: { readonly bytesMax?: number } = {}) {
    this.#bytesMax = bytesMax;
  }

  put(path: string, sections: readonly IndexedSection[]): void {
    this.remove(path);
    const first = this.#sections.length;
    const document: Indexed = { path, first, count: 0, postings: -this.#vocabulary.postings, length: 0 };
    for (const section of sections) {
      document.length += section.text.length;
      if (this.#isFull(titlesShare)) this.#partial.add(path);
      else this.#add(document, section);
    }
    document.postings += this.#vocabulary.postings;
    this.#live.postings += document.postings;
    this.#documents.set(path, document);
  }

  remove(path: string): void {
    const document = this.#documents.get(path);
    this.#documents.delete(path);
    this.#partial.delete(path);
    if (!document) return;
    for (let number = document.first; number < document.first + document.count; number += 1) {
      const section = this.#sections[number];
      if (!section) continue;
      this.#live.words -= section.words;
      section.isDead = true;
    }
    this.#live.sections -= document.count;
    this.#live.postings -= document.postings;
    const { sections, postings } = this.#live;
    if (
      this.#sections.length > 2 * sections + sweepMin ||
      this.#vocabulary.postings > 2 * postings + sweepMin
    )
      this.#sweep();
  }

  /** Documents that are searched only in part because there was no room for all of them, by path. */
  get partial(): readonly string[] {
    return [...this.#partial].sort();
  }

  /** Those of them for which there is room by now. */
  get fitting(): readonly string[] {
    if (this.#partial.size === 0) return [];
    const { postings } = this.#vocabulary;
    if (postings > this.#live.postings) this.#sweep();
    let room = this.#bytesMax - this.#bytes;
    return this.partial.filter((path) => {
      // Each word has two characters at least, its blank among them, and may be a new one.
      const needed = ((this.#documents.get(path)?.length ?? 0) / 2) * bytesOfWord;
      if (needed > room) return false;
      room -= needed;
      return true;
    });
  }

  /** Best first; with how many there are altogether. */
  search(
    query: Query,
    { limit, below = "/" }: SearchWish,
  ): { readonly hits: readonly Hit[]; readonly total: number } {
    const { sections, words } = this.#live;
    const facts: SectionFacts = {
      all: this.#sections,
      live: sections,
      usualWords: words / Math.max(1, sections),
    };
    const ranking = new Ranking(query, facts, this.#vocabulary);
    const hits: (Found & Hit)[] = [];
    let total = 0;
    ranking.each((found) => {
      const section = this.#sections[found.number];
      const path = section?.document.path;
      if (path === undefined || (below !== "/" && !path.startsWith(below))) return;
      total += 1;
      const last = hits[limit - 1];
      // Most come nowhere near.
      if (last && !isBetter(found, last) && isBetter(last, found)) return;
      const { index } = section ?? {};
      keepBest(hits, { ...found, path, ...(index !== undefined && { index }) }, limit);
    });
    return { hits: hits.map(({ number: _number, rank: _rank, ...hit }) => hit), total };
  }

  #add(document: Indexed, { index, title, parent, text }: IndexedSection): void {
    const number = this.#sections.length;
    const place = document.count;
    let words = 0;
    const take = (text: string, mark: number) =>
      eachWord(text, (word) => {
        this.#vocabulary.add(word, number, mark);
        words += 1;
      });
    take(title, inTitle);
    if (place === 0) take(document.path.replace(/\.md$/, ""), inPath);
    if (this.#isFull(1) && text.trim() !== "") this.#partial.add(document.path);
    else take(text, inText);
    this.#sections.push({
      document,
      ...(index !== undefined && { index }),
      up: place - parent,
      titleWords: readQuery(title).terms.length,
      words,
      isDead: false,
    });
    document.count += 1;
    this.#live.sections += 1;
    this.#live.words += words;
  }

  #isFull(share: number): boolean {
    return this.#bytes > this.#bytesMax * share;
  }

  get #bytes(): number {
    return this.#vocabulary.bytes + this.#sections.length * bytesOfSection;
  }

  #sweep(): void {
    const numbers = new Map<number, number>();
    for (const [number, { isDead, document }] of this.#sections.entries()) {
      if (isDead) continue;
      if (document.first === number) document.first = numbers.size;
      numbers.set(number, numbers.size);
    }
    this.#vocabulary.renumber(numbers);
    this.#sections = this.#sections.filter(({ isDead }) => !isDead);
  }
}

interface Indexed {
  readonly path: string;
  /** Its sections are numbered from here. */
  first: number;
  count: number;
  postings: number;
  /** Of its text. */
  length: number;
}

interface Entry {
  readonly document: Indexed;
  readonly index?: number;
  readonly up: number;
  readonly titleWords: number;
  readonly words: number;
  isDead: boolean;
}

interface Live {
  sections: number;
  words: number;
  postings: number;
}

/** Words of some 300 MB of prose, or a million and a half that all differ. */
const usualBytesMax = 256 * 1024 * 1024;
/** Titles are taken in still when there is no more room for texts; the last of those may have gone over it. */
const titlesShare = 2;
const bytesOfSection = 80;
const bytesOfWord = 165;
const sweepMin = 1_000;

function keepBest<T extends Found & Hit>(hits: T[], hit: T, limit: number): void {
  let at = hits.length;
  while (at > 0 && comesBefore(hit, hits[at - 1] ?? hit)) at -= 1;
  hits.splice(at, 0, hit);
  if (hits.length > limit) hits.pop();
}

function isBetter(one: Found, other: Found): boolean {
  return one.rank === other.rank ? one.score > other.score : one.rank > other.rank;
}

/** Equals in the order of their paths and in the documents, so that the same documents always answer the same. */
function comesBefore(one: Found & Hit, other: Found & Hit): boolean {
  if (isBetter(one, other) || isBetter(other, one)) return isBetter(one, other);
  return one.path === other.path ? one.number < other.number : one.path < other.path;
}
