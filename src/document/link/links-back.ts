/** Finds what refers to a document or to one of its sections. */
import { asId } from "../../plan/id.ts";
import type { DocumentPath } from "../address.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Library } from "../store.ts";
import { linksOf } from "./links.ts";
import { linkPlace } from "./rewrite-links.ts";

/**
 * Returns the sections that contain the references, by path. For a document, every reference to it or into it counts;
 * for a section, only those that use one of its names. `catalogue` must be up to date; the document `but` is ignored.
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
