/** What refers to a document or one of its sections. */
import { asId } from "../plan/id.ts";
import type { DocumentPath } from "./address.ts";
import type { Catalogue } from "./catalogue.ts";
import { linksOf } from "./links.ts";
import { linkPlace } from "./rewrite-links.ts";
import type { Library } from "./store.ts";

/**
 * The sections in which the references stand, by path. For a document all references to it or into it count, for a
 * section only those that name it, by any of its names. `catalogue` is up to date; `but` is a document that does not count.
 */
export function linksBack(
  library: Library,
  catalogue: Catalogue,
  { path, slugs }: { readonly path: DocumentPath; readonly slugs?: readonly string[] },
  { but }: { readonly but?: DocumentPath } = {},
): string[] {
  const found = new Set<string>();
  for (const from of catalogue.referringTo(library, path)) {
    const { document } = from === but ? {} : library.read(from);
    for (const link of document ? linksOf(document) : []) {
      const isMeant = link.path === path && (slugs === undefined || slugs.includes(asId(link.slug ?? "")));
      if (document && isMeant) found.add(linkPlace(document, link));
    }
  }
  return [...found];
}
