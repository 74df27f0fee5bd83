/**
 * What a search must know of each section that it finds, by number, in columns: a search goes through all sections that
 * have a word, and through little else.
 *
 * The sections of a document are numbered one behind the other, so the places of others are told by how far before it
 * they come, which stays so when numbers change.
 */
export interface SectionRow<D> {
  readonly document: D;
  /** Which one of the document's sections; -1 for none of them. */
  readonly index: number;
  /** How far before it the first one of its document comes, and the one it stands in; 0 for the first. */
  readonly place: number;
  readonly up: number;
  /** How many different words its title has, and how many words it has altogether. */
  readonly titleWords: number;
  readonly words: number;
}

export class SectionTable<D> {
  documents: D[] = [];
  indexes: number[] = [];
  places: number[] = [];
  ups: number[] = [];
  titleWords: number[] = [];
  /** -1 of one that is no longer there. */
  words: number[] = [];
  #live = 0;
  #liveWords = 0;

  get length(): number {
    return this.words.length;
  }

  get live(): number {
    return this.#live;
  }

  /** How many words a section has. */
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

  /** Answers the new numbers of those that are kept. */
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
