/**
 * What a search needs to know about each section, by number, stored in columns: a search goes through all sections that
 * have a word, and through little else.
 *
 * The sections of a document are numbered consecutively. References to other sections are stored as distances
 * backwards, which stay the same when numbers change.
 */
export interface SectionRow<D> {
  readonly document: D;
  /** The index in the document's sections; -1 for none of them. */
  readonly index: number;
  /** The distance back to the first section of its document, and to its parent; 0 for the first. */
  readonly place: number;
  readonly up: number;
  /** The number of distinct words in its title, and of all its words. */
  readonly titleWords: number;
  readonly words: number;
}

export class SectionTable<D> {
  documents: D[] = [];
  indexes: number[] = [];
  places: number[] = [];
  ups: number[] = [];
  titleWords: number[] = [];
  /** -1 for a section that no longer exists. */
  words: number[] = [];
  #live = 0;
  #liveWords = 0;

  get length(): number {
    return this.words.length;
  }

  get live(): number {
    return this.#live;
  }

  /** The average number of words in a section. */
  get usualWords(): number {
    return this.#liveWords / Math.max(1, this.#live);
  }

  add({ document, index, place, up, titleWords, words }: SectionRow<D>): void {
    this.documents.push(document);
    this.indexes.push(index);
    this.places.push(place);
    this.ups.push(up);
    this.titleWords.push(titleWords);
    this.words.push(words);
    this.#live += 1;
    this.#liveWords += words;
  }

  kill(number: number): void {
    this.#live -= 1;
    this.#liveWords -= this.words[number] ?? 0;
    this.words[number] = -1;
  }

  /** Returns the new numbers of the sections that are kept. */
  sweep(): ReadonlyMap<number, number> {
    const numbers = new Map<number, number>();
    for (const [number, words] of this.words.entries()) if (words !== -1) numbers.set(number, numbers.size);
    const kept = <T>(column: readonly T[]): T[] => column.filter((_, number) => numbers.has(number));
    this.documents = kept(this.documents);
    this.indexes = kept(this.indexes);
    this.places = kept(this.places);
    this.ups = kept(this.ups);
    this.titleWords = kept(this.titleWords);
    this.words = kept(this.words);
    return numbers;
  }
}
