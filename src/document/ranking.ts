/**
 * What a query finds in sections, and how well each fits.
 *
 * A section counts by its own words, those of its title more (BM25). A section that has the query as its title comes
 * before all others, then one that has all its words in the title. What stands above a section, the titles around it and
 * the path of the document, makes it no hit; for the one of a document that fits best it stands in a little for words
 * that the section itself has not.
 */
import { inPath, inTitle, numberOf, oftenOf, type Vocabulary } from "./vocabulary.ts";
import type { Query, Term } from "./words.ts";

export interface SectionFacts {
  /** By number. */
  readonly all: readonly SectionFact[];
  readonly live: number;
  /** How many words a section has. */
  readonly usualWords: number;
}

export interface SectionFact {
  /** How far before it the section comes that it stands in: 0 for the first of its document. */
  readonly up: number;
  /** How many different words its title has. */
  readonly titleWords: number;
  readonly words: number;
  readonly document: { readonly first: number };
  readonly isDead: boolean;
}

export interface Found {
  readonly number: number;
  /** What comes before the score. */
  readonly rank: number;
  readonly score: number;
}

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
  readonly #scores: Float64Array;
  /** Which terms each section has, a bit for each: at all, in its title, there as they are, and for those below it. */
  readonly #own: Uint32Array;
  readonly #inTitle: Uint32Array;
  readonly #whole: Uint32Array;
  readonly #above: Uint32Array;
  readonly #touched: number[] = [];

  constructor(
    private readonly query: Query,
    private readonly facts: SectionFacts,
    private readonly vocabulary: Vocabulary,
  ) {
    const count = facts.all.length;
    this.#scores = new Float64Array(count);
    this.#own = new Uint32Array(count);
    this.#inTitle = new Uint32Array(count);
    this.#whole = new Uint32Array(count);
    this.#above = new Uint32Array(count);
    for (const [at, term] of query.terms.entries()) this.#count(term, 1 << at);
  }

  each(take: (found: Found) => void): void {
    const best = this.#bestOfDocuments();
    for (const number of this.#touched) {
      const isBest = best?.[this.#documentOf(number)] === number;
      const score = this.#scoreOf(number, isBest ? this.#foundAbove(number) : 0);
      take({ number, rank: this.#rankOf(number), score });
    }
  }

  /** Several words count as one: those that begin with the same letters. */
  #count({ word: wanted, goesOn }: Term, bit: number): void {
    const { all, live, usualWords } = this.facts;
    const weights = new Float64Array(all.length);
    const found: number[] = [];
    for (const word of goesOn ? this.vocabulary.beginningWith(wanted, wordsMax) : [wanted]) {
      const isWhole = word === wanted;
      this.vocabulary.eachPosting(word, (packed) => {
        const number = numberOf(packed);
        if (all[number]?.isDead !== false) return;
        const weight = (oftenOf(packed) + (packed & inTitle ? titleWeight : 0)) * (isWhole ? 1 : begunWeight);
        const before = weights[number] ?? 0;
        if (before === 0) found.push(number);
        if (weight > before) weights[number] = weight;
        this.#mark(number, packed, { bit, isWhole });
      });
    }
    const rarity = Math.log(1 + (live - found.length + 0.5) / (found.length + 0.5));
    this.#rarities.push(rarity);
    for (const number of found) {
      const weight = weights[number] ?? 0;
      const length = Math.max(shortest, (all[number]?.words ?? 0) / usualWords);
      const slow = saturation * (1 - lengthShare + lengthShare * length);
      this.#scores[number] =
        (this.#scores[number] ?? 0) + (rarity * weight * (saturation + 1)) / (weight + slow);
    }
  }

  #mark(number: number, packed: number, { bit, isWhole }: { bit: number; isWhole: boolean }): void {
    if (this.#own[number] === 0) this.#touched.push(number);
    add(this.#own, number, bit);
    if (packed & (inTitle | inPath)) add(this.#above, number, bit);
    if (!(packed & inTitle)) return;
    add(this.#inTitle, number, bit);
    if (isWhole) add(this.#whole, number, bit);
  }

  /** Whoever gives three words means a text that has all three. */
  #scoreOf(number: number, above = 0): number {
    const own = bitsIn(this.#own[number] ?? 0) + aboveWeight * bitsIn(above);
    let score = this.#scores[number] ?? 0;
    if (above !== 0) {
      for (const [at, rarity] of this.#rarities.entries())
        if (above & (1 << at)) score += aboveWeight * rarity;
    }
    return (score * own) / this.query.terms.length;
  }

  /** For each document its section that fits best when what stands above it counts; one word needs none. */
  #bestOfDocuments(): Int32Array | undefined {
    if (this.query.terms.length < 2) return undefined;
    const scores = new Float64Array(this.#scores.length);
    const best = new Int32Array(this.#scores.length);
    for (const number of this.#touched) {
      const document = this.#documentOf(number);
      const score = this.#scoreOf(number, this.#foundAbove(number));
      const before = scores[document] ?? 0;
      if (score < before || (score === before && number > (best[document] ?? 0))) continue;
      scores[document] = score;
      best[document] = number;
    }
    return best;
  }

  #documentOf(number: number): number {
    return this.facts.all[number]?.document.first ?? 0;
  }

  /** The terms that a section has not itself. */
  #missing(number: number): number {
    return this.#all & ~(this.#own[number] ?? 0);
  }

  #foundAbove(number: number): number {
    const missing = this.#missing(number);
    if (missing === 0) return 0;
    let found = 0;
    let at = number;
    for (let up = this.facts.all[at]?.up ?? 0; up > 0; up = this.facts.all[at]?.up ?? 0) {
      at -= up;
      found |= this.#above[at] ?? 0;
    }
    return found & missing;
  }

  #rankOf(number: number): number {
    if (this.#inTitle[number] !== this.#all) return titled.not;
    if (this.facts.all[number]?.titleWords !== this.query.terms.length) return titled.among;
    return this.#whole[number] === this.#all ? titled.exactly : titled.begun;
  }

  get #all(): number {
    return 2 ** this.query.terms.length - 1;
  }
}

function add(bits: Uint32Array, number: number, bit: number): void {
  bits[number] = (bits[number] ?? 0) | bit;
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
