/** Full-text search over the documents in `docs/`, section by section. */
import { addressText, type DocumentPath } from "../address.ts";
import { type Catalogue, catalogueOf } from "../catalogue.ts";
import type { Document } from "../document.ts";
import type { DocumentStore } from "../store.ts";
import { snippet } from "./snippet.ts";
import { type Query, readQuery } from "./words.ts";

export interface SearchResult {
  /** `/a.md#section`. */
  readonly document: string;
  /** The title of the document. */
  readonly title: string;
  readonly heading: string;
  /** With the matching words marked. */
  readonly snippet: string;
}

export interface SearchResults {
  readonly results: readonly SearchResult[];
  readonly total: number;
  /** Documents below the folder that may contain the words but were not searched completely. */
  readonly unsearched: Unsearched;
}

/** Sorted by path; only the first few are named. */
export interface Unsearched {
  /** The index had no room for all of their text; the rest can be found by its titles at most. */
  readonly inPart: readonly DocumentPath[];
  readonly unreadable: readonly DocumentPath[];
  /** Of both kinds. */
  readonly total: number;
}

export interface SearchOptions {
  readonly limit: number;
  /** `/api/`: only below this folder. */
  readonly below?: string;
  readonly signal?: AbortSignal;
}

export async function searchDocuments(
  store: DocumentStore,
  text: string,
  { limit, below = "/", signal }: SearchOptions,
): Promise<SearchResults> {
  const catalogue = catalogueOf(store);
  await catalogue.refreshed(store, signal);
  const query = readQuery(text);
  const { hits, total } = catalogue.index.search(query, { limit, below });
  const results = hits.map((hit) => {
    const path = hit.path as DocumentPath;
    return resultOf(store.read(path).document, { ...hit, path, query, title: catalogue.titleOf(path) });
  });
  return { results, total, unsearched: unsearchedBelow(catalogue, below) };
}

interface Shown {
  readonly path: DocumentPath;
  readonly index?: number;
  readonly query: Query;
  readonly title: string;
}

function resultOf(document: Document | undefined, { path, index, query, title }: Shown): SearchResult {
  const { all = [], begin = 0 } = document?.sections ?? {};
  const section = index === undefined ? undefined : all[index];
  const from = section?.below ?? begin;
  const to = section?.ownEnd ?? all[0]?.whole.start ?? document?.length ?? 0;
  return {
    document: addressText({ path, ...(section && { slug: section.slug }) }),
    title,
    heading: section?.title ?? title,
    snippet: snippet(document?.slice(from, to) ?? "", query),
  };
}

function unsearchedBelow(catalogue: Catalogue, below: string): Unsearched {
  const isMeant = (path: string): path is DocumentPath => path.startsWith(below);
  const inPart = catalogue.index.partial.filter(isMeant);
  const unreadable = catalogue.unreadable().filter(isMeant);
  return {
    inPart: inPart.slice(0, namedMax),
    unreadable: unreadable.slice(0, namedMax),
    total: inPart.length + unreadable.length,
  };
}

const namedMax = 10;
