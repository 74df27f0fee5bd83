/** Makes references follow what they name: a document that is moved, sections whose slugs change. */
import { asId } from "../plan/id.ts";
import type { Splice } from "../plan/splice.ts";
import type { DocumentPath } from "./address.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Document } from "./document.ts";
import { type Link, linksIn, linksOf, placesOf } from "./links.ts";
import type { DocumentEdit, Library } from "./store.ts";

export interface Rewriting {
  /** As they are named now. */
  readonly path: DocumentPath;
  readonly to?: DocumentPath;
  /** From what was to what is. */
  readonly slugs?: ReadonlyMap<string, string>;
}

/** In all documents but the one itself, the coordinator's list among them; archives stay as they are. */
export function linkEdits(library: Library, catalogue: Catalogue, rewriting: Rewriting): DocumentEdit[] {
  return catalogue
    .referringTo(library, rewriting.path)
    .filter((path) => path !== rewriting.path)
    .flatMap((path): DocumentEdit[] => {
      const { document } = library.read(path);
      const splices = document ? linkSplices(linksOf(document), rewriting) : [];
      return splices.length === 0 ? [] : [{ do: "splice", path, splices }];
    });
}

export function linkSplices(links: readonly Link[], { path, to, slugs }: Rewriting): Splice[] {
  return links
    .filter((link) => link.path === path)
    .flatMap((link) => {
      const places = placesOf(link);
      const slug =
        link.slug === undefined ? undefined : (slugs?.get(link.slug) ?? slugs?.get(asId(link.slug)));
      return [
        ...(to === undefined ? [] : [{ ...places.path, text: to }]),
        ...(slug === undefined ? [] : [{ ...places.slug, text: slug }]),
      ];
    });
}

/** Whether `@/path.md` in a text would be read as this path: one with a blank or a bracket would not. */
export function canBeReferredTo(path: DocumentPath): boolean {
  return linksIn(`@${path}`)[0]?.path === path;
}

/** Where in a document a reference stands. */
export function linkPlace(document: Document, { at }: Link): string {
  const section = document.sections.at(at.start);
  return section ? `${document.path}#${section.slug}` : document.path;
}
