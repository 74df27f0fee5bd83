/**
 * What a query finds in sections, and how well each fits.
 *
 * A section counts by its own words, those of its title more (BM25). A section that has the query as its title comes
 * before all others, then one that has all its words in the title. What stands above a section, the titles around it and
 * the path of the document, makes it no hit; for the one of a document that fits best it stands in a little for words
 * that the section itself has not.
 */
import type { SectionTable } from "./section-table.ts";
import { inPath, inTitle, numberOf, oftenOf, type Vocabulary } from "./vocabulary.ts";
import type { Query, Term } from "./words.ts";

/** One of the sections that were found: what comes before the score, and the score. */
export type EachFound = (number: number, rank: number, score: number) => void;

/** Its title is the query; is what the query begins; has all its words. */
const titled = { exactly: 3, begun: 2, among: 1, not: 0 } as const;

const titleWeight = 4;
/** Of a word of which the query has the beginning. */
const begunWeight = 0.75;
/** Of a word that stands above. */
const aboveWeight = 0.25;
const wordsMax = 1_000;
/** BM25's k1 and b, as everybody has them. */
const saturation = 1.2;
const lengthShare = 0.75;
/** Of a usual one: a section of three words is no better for that. */
const shortest = 0.5;

export class Ranking {
  readonly #rarities: number[] = [];
  /** A bit for each term. */
  #all = 0;
  /** Kept from search to search, and empty between them: memory that is fresh costs as much as to go through it. */
  #scores = new Float64Array(0);
  #weights = new Float32Array(0);
  /** Which terms each section has, a bit for each: at all, in its title, there as they are, and for those below it. */
  #own = new Uint32Array(0);
  #inTitle = new Uint32Array(0);
  #whole = new Uint32Array(0);
  #above = new Uint32Array(0);
  /** By the first section of a document: which terms stand above any other. */
  #anywhereAbove = new Uint32Array(0);
  #touched = new Uint32Array(0);
  #touchedCount = 0;
  /** Those that have one term. */
  #found = new Uint32Array(0);

  constructor(
    private readonly sections: SectionTable<unknown>,
    private readonly vocabulary: Vocabulary,
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

  /** Several words count as one: those that begin with the same letters. */
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
        // Most stand in the text.
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

  /** Whoever gives three words means a text that has all three. */
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

  /** For each document its section that fits best when what stands above it counts; where nothing does, none. */
  #bestOfDocuments(): ReadonlyMap<number, { readonly number: number; readonly score: number }> {
    const best = new Map<number, { readonly number: number; readonly score: number }>();
    // Whatever has one word needs none from above.
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

  /** The terms that a section has not itself. */
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
