/**
 * Finds the sections that match a query, and ranks them.
 *
 * A section scores by its own words, with more weight for its title (BM25). A section whose title is the query comes
 * first, then one whose title contains all its words. What stands above a section (the titles around it and the path of
 * the document) does not make it a hit. But for the best section of a document, it counts a little in place of words
 * that the section itself lacks.
 */
import type { SectionTable } from "../section/section-table.ts";
import { inPath, inTitle, numberOf, oftenOf, type SearchVocabulary } from "./vocabulary.ts";
import type { Query, Term } from "./words.ts";

/** Called for each section found, with its rank, which goes before the score, and its score. */
export type EachFound = (number: number, rank: number, score: number) => void;

/** Whether the title is the query, is a completion of the query, or contains all its words. */
const titled = { exactly: 3, begun: 2, among: 1, not: 0 } as const;

const titleWeight = 4;
/** For a word that starts with the query's word. */
const begunWeight = 0.75;
/** For a word that stands above the section. */
const aboveWeight = 0.25;
const wordsMax = 1_000;
/** The usual values of BM25's k1 and b. */
const saturation = 1.2;
const lengthShare = 0.75;
/** As a share of the average length: below this, being shorter makes a section no better. */
const shortest = 0.5;

export class Ranking {
  readonly #rarities: number[] = [];
  /** One bit for each term. */
  #all = 0;
  /** Reused between searches and cleared after each: allocating fresh memory costs as much as going through it. */
  #scores = new Float64Array(0);
  #weights = new Float32Array(0);
  /**
   * Which terms each section has, one bit each: anywhere; in its title; in its title as whole words; and in its title
   * or path, which count for its sub-sections.
   */
  #own = new Uint32Array(0);
  #inTitle = new Uint32Array(0);
  #whole = new Uint32Array(0);
  #above = new Uint32Array(0);
  /** Indexed by a document's first section: which terms are in any of its titles or in its path. */
  #anywhereAbove = new Uint32Array(0);
  #touched = new Uint32Array(0);
  #touchedCount = 0;
  /** The sections that have the current term. */
  #found = new Uint32Array(0);

  constructor(
    private readonly sections: SectionTable<unknown>,
    private readonly vocabulary: SearchVocabulary,
  ) {}

  each({ terms }: Query, take: EachFound): void {
    this.#makeRoom();
    this.#all = 2 ** terms.length - 1;
    for (const [at, term] of terms.entries()) this.#count(term, 1 << at);
    const best = this.#bestOfDocuments();
    for (const number of this.#touched.subarray(0, this.#touchedCount)) {
      const isHelped = best.size > 0 && best.get(this.#documentOf(number))?.number === number;
      take(number, this.#rankOf(number), this.#scoreOf(number, isHelped ? this.#foundAbove(number) : 0));
    }
    this.#clear();
  }

  #makeRoom(): void {
    const count = this.sections.length;
    if (this.#scores.length >= count) return;
    const room = Math.ceil(count * 1.25);
    this.#scores = new Float64Array(room);
    this.#weights = new Float32Array(room);
    this.#own = new Uint32Array(room);
    this.#inTitle = new Uint32Array(room);
    this.#whole = new Uint32Array(room);
    this.#above = new Uint32Array(room);
    this.#anywhereAbove = new Uint32Array(room);
    this.#touched = new Uint32Array(room);
    this.#found = new Uint32Array(room);
  }

  #clear(): void {
    for (const number of this.#touched.subarray(0, this.#touchedCount)) {
      this.#scores[number] = 0;
      this.#own[number] = 0;
      if (this.#above[number] === 0) continue;
      this.#inTitle[number] = 0;
      this.#whole[number] = 0;
      this.#above[number] = 0;
      this.#anywhereAbove[this.#documentOf(number)] = 0;
    }
    this.#touchedCount = 0;
    this.#rarities.length = 0;
  }

  /** All words that start with the same letters count as one. */
  #count({ word: wanted, goesOn }: Term, bit: number): void {
    const { words: lengths, live, usualWords } = this.sections;
    const weights = this.#weights;
    const found = this.#found;
    let count = 0;
    for (const word of goesOn ? this.vocabulary.beginningWith(wanted, wordsMax) : [wanted]) {
      const isWhole = word === wanted;
      const postings = this.vocabulary.postingsOf(word);
      for (let at = 0; at < postings.length; at += 1) {
        const packed = postings[at] ?? 0;
        const number = numberOf(packed);
        if (lengths[number] === -1) continue;
        const weight = (oftenOf(packed) + (packed & inTitle ? titleWeight : 0)) * (isWhole ? 1 : begunWeight);
        const before = weights[number] ?? 0;
        if (before === 0) {
          found[count] = number;
          count += 1;
        }
        if (weight > before) weights[number] = weight;
        // Most postings are in the text only.
        if (packed & (inTitle | inPath)) this.#mark(number, packed, { bit, isWhole });
      }
    }
    const rarity = Math.log(1 + (live - count + 0.5) / (count + 0.5));
    this.#rarities.push(rarity);
    const owns = this.#own;
    const scores = this.#scores;
    const touched = this.#touched;
    let touchedCount = this.#touchedCount;
    for (let at = 0; at < count; at += 1) {
      const number = found[at] ?? 0;
      const own = owns[number] ?? 0;
      if (own === 0) {
        touched[touchedCount] = number;
        touchedCount += 1;
      }
      owns[number] = own | bit;
      const weight = weights[number] ?? 0;
      weights[number] = 0;
      const length = Math.max(shortest, (lengths[number] ?? 0) / usualWords);
      const slow = saturation * (1 - lengthShare + lengthShare * length);
      scores[number] = (scores[number] ?? 0) + (rarity * weight * (saturation + 1)) / (weight + slow);
    }
    this.#touchedCount = touchedCount;
  }

  #mark(number: number, packed: number, { bit, isWhole }: { bit: number; isWhole: boolean }): void {
    add(this.#above, number, bit);
    add(this.#anywhereAbove, this.#documentOf(number), bit);
    if (packed & inTitle) add(this.#inTitle, number, bit);
    if (packed & inTitle && isWhole) add(this.#whole, number, bit);
  }

  /** Someone who types three words wants a text that has all three. */
  #scoreOf(number: number, above: number): number {
    const rarities = this.#rarities;
    const own = this.#own[number] ?? 0;
    let score = this.#scores[number] ?? 0;
    let share = 0;
    for (let at = 0; at < rarities.length; at += 1) {
      if (own & (1 << at)) share += 1;
      else if (above & (1 << at)) {
        share += aboveWeight;
        score += aboveWeight * (rarities[at] ?? 0);
      }
    }
    return (score * share) / rarities.length;
  }

  /**
   * The best section of each document when what stands above counts; none for a document where nothing above matches.
   */
  #bestOfDocuments(): ReadonlyMap<number, { readonly number: number; readonly score: number }> {
    const best = new Map<number, { readonly number: number; readonly score: number }>();
    // With a single term, every hit has it already.
    if (this.#rarities.length < 2) return best;
    for (const number of this.#touched.subarray(0, this.#touchedCount)) {
      const document = this.#documentOf(number);
      if (this.#anywhereAbove[document] === 0) continue;
      const score = this.#scoreOf(number, this.#foundAbove(number));
      const before = best.get(document);
      if (!before || score > before.score || (score === before.score && number < before.number))
        best.set(document, { number, score });
    }
    return best;
  }

  #documentOf(number: number): number {
    return number - (this.sections.places[number] ?? 0);
  }

  /** The terms that a section itself lacks. */
  #missing(number: number): number {
    return this.#all & ~(this.#own[number] ?? 0);
  }

  #foundAbove(number: number): number {
    const missing = this.#missing(number);
    if (missing === 0) return 0;
    const { ups } = this.sections;
    let found = 0;
    let at = number;
    for (let up = ups[at] ?? 0; up > 0; up = ups[at] ?? 0) {
      at -= up;
      found |= this.#above[at] ?? 0;
    }
    return found & missing;
  }

  #rankOf(number: number): number {
    if (this.#inTitle[number] !== this.#all) return titled.not;
    if (this.sections.titleWords[number] !== this.#rarities.length) return titled.among;
    return this.#whole[number] === this.#all ? titled.exactly : titled.begun;
  }
}

function add(bits: Uint32Array, number: number, bit: number): void {
  bits[number] = (bits[number] ?? 0) | bit;
}
