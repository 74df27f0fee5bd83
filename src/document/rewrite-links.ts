/** Makes references and Markdown links follow what they name: a document that is moved, sections whose slugs change. */
import { asId } from "../plan/id.ts";
import type { Splice } from "../plan/splice.ts";
import type { DocumentPath } from "./address.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Document } from "./document.ts";
import { type Link, linksOf, placesOf, referencesIn } from "./links.ts";
import { spelledTarget } from "./markdown-links.ts";
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
  return referringDocuments(library, catalogue, rewriting.path).flatMap((document): DocumentEdit[] => {
    const { path } = document;
    const splices = linkSplices(linksOf(document), { ...rewriting, from: path });
    return splices.length === 0 ? [] : [{ do: "splice", path, splices }];
  });
}

/** `from` is where the links stand. */
export function linkSplices(
  links: readonly Link[],
  { path, to, slugs, from }: Rewriting & { readonly from: DocumentPath },
): Splice[] {
  return links
    .filter((link) => link.path === path)
    .flatMap((link) => {
      const slug =
        link.slug === undefined ? undefined : (slugs?.get(link.slug) ?? slugs?.get(asId(link.slug)));
      return [
        ...(to === undefined ? [] : pathSplice(link, { to, from })),
        ...(slug === undefined ? [] : [{ ...placesOf(link).slug, text: slug }]),
      ];
    });
}

/** Of a document that is moved: links to itself, and those to others that are told from the folder it lay in. */
export function moveSplices(document: Document, to: DocumentPath): Splice[] {
  return linksOf(document).flatMap((link) => {
    if (link.path === document.path) return pathSplice(link, { to, from: to });
    return link.path && link.written === "relative" ? pathSplice(link, { to: link.path, from: to }) : [];
  });
}

function pathSplice(link: Link, { to, from }: { to: DocumentPath; from: DocumentPath }): Splice[] {
  const { written } = link;
  const text = written === "reference" ? to : spelledTarget(to, { written, from });
  return written === "own" ? [] : [{ ...placesOf(link).path, text }];
}

/** Whether anything names the document as `@/path.md`. */
export function isReferredTo(library: Library, catalogue: Catalogue, path: DocumentPath): boolean {
  const own = library.read(path).document;
  const documents = [...referringDocuments(library, catalogue, path), ...(own ? [own] : [])];
  return documents.some((document) =>
    linksOf(document).some((link) => link.path === path && link.written === "reference"),
  );
}

function referringDocuments(library: Library, catalogue: Catalogue, path: DocumentPath): Document[] {
  return catalogue
    .referringTo(library, path)
    .flatMap((from) => (from === path ? [] : (library.read(from).document ?? [])));
}

/** Whether `@/path.md` in a text would be read as this path: one with a blank or a bracket would not. */
export function canBeReferredTo(path: DocumentPath): boolean {
  return referencesIn(`@${path}`)[0]?.path === path;
}

/** Where in a document a reference stands. */
export function linkPlace(document: Document, { at }: Link): string {
  const section = document.sections.at(at.start);
  return section ? `${document.path}#${section.slug}` : document.path;
}
