/**
 * What is known about every document without opening it again: title, open tasks, what it refers to, and its words.
 *
 * It is only a cache. Before it answers, it is brought up to date with the library in question, and only documents
 * whose stamp changed are read.
 */
import { activeList, type DocumentPath } from "./address.ts";
import { type Card, cardOf } from "./card.ts";
import { Document } from "./document.ts";
import { linksOf } from "./link/links.ts";
import { indexedSections } from "./search/indexed-sections.ts";
import { SearchIndex } from "./search/search-index.ts";
import type { DocumentEntry, DocumentStore, Library } from "./store.ts";

/** One per store, for as long as the store lives. */
const catalogues = new WeakMap<DocumentStore, Catalogue>();

export function catalogueOf(store: DocumentStore): Catalogue {
  const known = catalogues.get(store);
  if (known) return known;
  const made = new Catalogue();
  catalogues.set(store, made);
  return made;
}

/** Lets another store over the same documents use the same catalogue. */
export function shareCatalogue(store: DocumentStore, other: DocumentStore): void {
  catalogues.set(other, catalogueOf(store));
}

export class Catalogue {
  readonly #cards = new Map<DocumentPath, Card>();
  readonly #index = new SearchIndex();
  /** The list that it is up to date with. */
  #entries: readonly DocumentEntry[] | undefined;

  get index(): SearchIndex {
    return this.#index;
  }

  /** Synchronous, for use inside a decision. */
  refresh(library: Library): void {
    for (const _ of this.#refreshing(library, library.list()));
  }

  /** The same, but lets other work run between documents. */
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

  /** Sorted by path. */
  cards(): readonly Card[] {
    return [...this.#cards.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The paths of documents that are not readable text. */
  unreadable(): readonly DocumentPath[] {
    return this.cards().flatMap(({ path, isUnreadable }) => (isUnreadable ? [path] : []));
  }

  titleOf(path: DocumentPath): string {
    return this.#cards.get(path)?.title ?? path;
  }

  /** The paths of documents that refer to this one, including the coordinator's list. */
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

  /** Returns the length of the document. */
  #take(library: Library, entry: DocumentEntry): number {
    const text = library.read(entry.path).document?.text;
    // A separate instance: what is parsed here would otherwise stay in the library's memory.
    const document = text === undefined ? undefined : Document.of(entry.path, text);
    const card = cardOf(entry, document);
    this.#cards.set(entry.path, card);
    this.#index.put(entry.path, document ? indexedSections(document, card.title) : []);
    return text?.length ?? 0;
  }
}

/** In UTF-16 units of text: a few milliseconds of work. Each document counts as `lengthOfAny` on top of its length. */
const lengthAtOnce = 64 * 1024;
const lengthOfAny = 4 * 1024;
