/**
 * An inverted index of sections. A query returns the matching sections, best first (`ranking.ts`).
 *
 * Pure and incremental: putting a document again replaces its entries. Replaced entries are marked dead, and swept out
 * when they outnumber the living. Memory is bounded: when it is full, the texts of further documents are left out, and
 * the index remembers which.
 */

import { SectionTable } from "../section/section-table.ts";
import { Ranking } from "./ranking.ts";
import { inPath, inText, inTitle, SearchVocabulary } from "./vocabulary.ts";
import { eachWord, type Query, readQuery } from "./words.ts";

/** The first section of a document contains all the others. */
export interface IndexedSection {
  /** Its index in the document's sections; missing for the whole document and for the text before its first heading. */
  readonly index?: number;
  readonly title: string;
  /** The section that contains it, by its position in the list. */
  readonly parent: number;
  readonly text: string;
}

export interface Hit {
  readonly path: string;
  readonly index?: number;
  readonly score: number;
}

export interface IndexSearchOptions {
  readonly limit: number;
  /** Only documents whose path starts with this. */
  readonly below?: string;
}

export class SearchIndex {
  readonly #vocabulary = new SearchVocabulary();
  readonly #sections = new SectionTable<Indexed>();
  readonly #ranking = new Ranking(this.#sections, this.#vocabulary);
  readonly #documents = new Map<string, Indexed>();
  /** Documents that are not indexed completely. */
  readonly #partial = new Set<string>();
  /** Postings of living documents. */
  #postings = 0;
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
    this.#postings += document.postings;
    this.#documents.set(path, document);
  }

  remove(path: string): void {
    const document = this.#documents.get(path);
    this.#documents.delete(path);
    this.#partial.delete(path);
    if (!document) return;
    const { first, count } = document;
    for (let number = first; number < first + count; number += 1) this.#sections.kill(number);
    this.#postings -= document.postings;
    const isMostlyDead =
      this.#sections.length > 2 * this.#sections.live + sweepMin ||
      this.#vocabulary.postings > 2 * this.#postings + sweepMin;
    if (isMostlyDead) this.#sweep();
  }

  /** Documents that are only partly indexed because there was not enough room, sorted by path. */
  get partial(): readonly string[] {
    return [...this.#partial].sort();
  }

  /** The partly indexed documents for which there is room now. */
  get fitting(): readonly string[] {
    if (this.#partial.size === 0) return [];
    if (this.#vocabulary.postings > this.#postings) this.#sweep();
    let room = this.#bytesMax - this.#bytes;
    return this.partial.filter((path) => {
      // Each word takes at least two characters, including a space, and may be new.
      const needed = ((this.#documents.get(path)?.length ?? 0) / 2) * bytesOfWord;
      if (needed > room) return false;
      room -= needed;
      return true;
    });
  }

  /** Best first, with the total count. */
  search(
    query: Query,
    { limit, below = "/" }: IndexSearchOptions,
  ): { readonly hits: readonly Hit[]; readonly total: number } {
    const { documents, indexes } = this.#sections;
    const hits: RankedHit[] = [];
    let total = 0;
    this.#ranking.each(query, (number, rank, score) => {
      if (below !== "/" && !documents[number]?.path.startsWith(below)) return;
      total += 1;
      const last = hits[limit - 1];
      // Most hits are far from the top.
      if (last && (rank < last.rank || (rank === last.rank && score < last.score))) return;
      keepBest(hits, { number, rank, score, path: documents[number]?.path ?? "" }, limit);
    });
    return { hits: hits.map(({ number, path, score }) => hitOf(path, indexes[number] ?? -1, score)), total };
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
    const titleWords = readQuery(title).terms.length;
    this.#sections.add({ document, index: index ?? -1, place, up: place - parent, titleWords, words });
    document.count += 1;
  }

  #isFull(share: number): boolean {
    return this.#bytes > this.#bytesMax * share;
  }

  get #bytes(): number {
    return this.#vocabulary.bytes + this.#sections.length * bytesOfSection;
  }

  #sweep(): void {
    const numbers = this.#sections.sweep();
    this.#vocabulary.renumber(numbers);
    for (const document of this.#documents.values()) {
      document.first = numbers.get(document.first) ?? this.#sections.length;
    }
  }
}

interface Indexed {
  readonly path: string;
  /** The number of its first section. */
  first: number;
  count: number;
  postings: number;
  /** The length of its text. */
  length: number;
}

/** The words of about 300 MB of prose, or a million and a half distinct words. */
const usualBytesMax = 256 * 1024 * 1024;
/**
 * Titles are still indexed when there is no more room for texts, up to this multiple of the limit. The last text may
 * also have exceeded the limit.
 */
const titlesShare = 2;
const bytesOfSection = 80;
const bytesOfWord = 165;
const sweepMin = 1_000;

interface RankedHit {
  readonly number: number;
  readonly rank: number;
  readonly score: number;
  readonly path: string;
}

function keepBest(hits: RankedHit[], hit: RankedHit, limit: number): void {
  let at = hits.length;
  while (at > 0 && comesBefore(hit, hits[at - 1] ?? hit)) at -= 1;
  hits.splice(at, 0, hit);
  if (hits.length > limit) hits.pop();
}

/** Ties are broken by path, then by order in the document, so that the same documents always give the same answer. */
function comesBefore(one: RankedHit, other: RankedHit): boolean {
  if (one.rank !== other.rank) return one.rank > other.rank;
  if (one.score !== other.score) return one.score > other.score;
  return one.path === other.path ? one.number < other.number : one.path < other.path;
}

function hitOf(path: string, index: number, score: number): Hit {
  return index === -1 ? { path, score } : { path, index, score };
}
