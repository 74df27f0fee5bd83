/**
 * What is known of every document without opening it again: its title, its open tasks, what it refers to, its words.
 *
 * A cache and nothing else: before it answers it is brought up to date with the library it is asked about, and only
 * documents whose stamp changed are read.
 */
import { activeList, type DocumentPath } from "./address.ts";
import { type Card, cardOf } from "./card.ts";
import { Document } from "./document.ts";
import { indexedSections } from "./indexed-sections.ts";
import { linksOf } from "./links.ts";
import { SearchIndex } from "./search-index.ts";
import type { DocumentEntry, DocumentStore, Library } from "./store.ts";

/** One for each store, as long as the store is there. */
const catalogues = new WeakMap<DocumentStore, Catalogue>();

export function catalogueOf(store: DocumentStore): Catalogue {
  const known = catalogues.get(store);
  if (known) return known;
  const made = new Catalogue();
  catalogues.set(store, made);
  return made;
}

/** For another way to the same documents. */
export function shareCatalogue(store: DocumentStore, other: DocumentStore): void {
  catalogues.set(other, catalogueOf(store));
}

export class Catalogue {
  readonly #cards = new Map<DocumentPath, Card>();
  readonly #index = new SearchIndex();
  /** What it is up to date with. */
  #entries: readonly DocumentEntry[] | undefined;

  get index(): SearchIndex {
    return this.#index;
  }

  /** At once, inside a decision. */
  refresh(library: Library): void {
    for (const _ of this.#refreshing(library, library.list()));
  }

  /** The same, letting others work between the documents. */
  async refreshed(store: DocumentStore, signal?: AbortSignal): Promise<void> {
    let work = 0;
    for (const length of this.#refreshing(store, await store.listing())) {
      work += length + lengthOfAny;
      if (work < lengthAtOnce) continue;
      work = 0;
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
  }

  /** By path. */
  cards(): readonly Card[] {
    return [...this.#cards.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The paths of those that are no text that we can read. */
  unreadable(): readonly DocumentPath[] {
    return this.cards().flatMap(({ path, isUnreadable }) => (isUnreadable ? [path] : []));
  }

  titleOf(path: DocumentPath): string {
    return this.#cards.get(path)?.title ?? path;
  }

  /** The paths of documents that refer to one, the coordinator's list among them. */
  referringTo(library: Library, path: DocumentPath): DocumentPath[] {
    const active = library.read(activeList).document;
    const fromActive = active !== undefined && linksOf(active).some((link) => link.path === path);
    return [
      ...this.cards().flatMap((card) => (card.refersTo.has(path) ? [card.path] : [])),
      ...(fromActive ? [activeList] : []),
    ];
  }

  *#refreshing(library: Library, entries: readonly DocumentEntry[]): Generator<number> {
    if (entries === this.#entries) return;
    this.#entries = undefined;
    const gone = new Set(this.#cards.keys());
    for (const entry of entries) {
      gone.delete(entry.path);
      if (this.#cards.get(entry.path)?.stamp === entry.stamp) continue;
      yield this.#take(library, entry);
    }
    for (const path of gone) {
      this.#cards.delete(path);
      this.#index.remove(path);
    }
    const fitting = new Set(this.#index.fitting);
    for (const entry of fitting.size === 0 ? [] : entries) {
      if (fitting.has(entry.path)) yield this.#take(library, entry);
    }
    this.#entries = entries;
  }

  /** Answers how long it is. */
  #take(library: Library, entry: DocumentEntry): number {
    const text = library.read(entry.path).document?.text;
    // One of our own: what is read of it here would stay in the library's memory.
    const document = text === undefined ? undefined : Document.of(entry.path, text);
    const card = cardOf(entry, document);
    this.#cards.set(entry.path, card);
    this.#index.put(entry.path, document ? indexedSections(document, card.title) : []);
    return text?.length ?? 0;
  }
}

/** Of text, in UTF-16 units: some milliseconds of work, where each document is as much as so many. */
const lengthAtOnce = 64 * 1024;
const lengthOfAny = 4 * 1024;
