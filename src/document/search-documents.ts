/** Full-text search over the documents of `docs/`, section by section. */
import { addressText, type DocumentPath } from "./address.ts";
import { catalogueOf } from "./catalogue.ts";
import { snippet } from "./snippet.ts";
import type { DocumentStore } from "./store.ts";
import { type Query, readQuery } from "./words.ts";

export interface SearchResult {
  /** `/a.md#section`. */
  readonly document: string;
  /** Of the document. */
  readonly title: string;
  readonly heading: string;
  /** With the words marked. */
  readonly snippet: string;
}

export interface SearchResults {
  readonly results: readonly SearchResult[];
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
  { limit, below, signal }: SearchOptions,
): Promise<SearchResults> {
  const catalogue = catalogueOf(store);
  await catalogue.refreshed(store, signal);
  const query = readQuery(text);
  const { hits, total } = catalogue.index.search(query, { limit, ...(below !== undefined && { below }) });
  const results = hits.map(({ path, slug }) =>
    resultOf(
      store,
      { path: path as DocumentPath, ...(slug !== undefined && { slug }) },
      {
        query,
        title: catalogue.titleOf(path as DocumentPath),
      },
    ),
  );
  return { results, total };
}

function resultOf(
  store: DocumentStore,
  address: { readonly path: DocumentPath; readonly slug?: string },
  { query, title }: { readonly query: Query; readonly title: string },
): SearchResult {
  const { document } = store.read(address.path);
  const section = address.slug === undefined ? undefined : document?.sections.find(address.slug);
  const begin = section?.below ?? document?.sections.begin ?? 0;
  const end = section?.ownEnd ?? document?.sections.all[0]?.whole.start;
  const own = document?.text.slice(begin, end) ?? "";
  return {
    document: addressText(address),
    title,
    heading: section?.title ?? title,
    snippet: snippet(own, query),
  };
}
