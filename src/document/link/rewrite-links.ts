/** Updates references and Markdown links when a document is moved or the slugs of its sections change. */

import type { Splice } from "../../plan/edit/splice.ts";
import { asId } from "../../plan/id.ts";
import type { DocumentPath } from "../address.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Document } from "../document.ts";
import type { DocumentEdit, Library } from "../store.ts";
import { type Link, linksOf, placesOf, referencesIn } from "./links.ts";
import { spelledTarget } from "./markdown-links.ts";

export interface LinkRewrite {
  /** The current path. */
  readonly path: DocumentPath;
  readonly to?: DocumentPath;
  /** From old slugs to new ones. */
  readonly slugs?: ReadonlyMap<string, string>;
}

/**
 * Covers all documents except the one itself, including the coordinator's list; archived documents stay as they are.
 */
export function linkEdits(library: Library, catalogue: Catalogue, rewriting: LinkRewrite): DocumentEdit[] {
  return referringDocuments(library, catalogue, rewriting.path).flatMap((document): DocumentEdit[] => {
    const { path } = document;
    const splices = linkSplices(linksOf(document), { ...rewriting, from: path });
    return splices.length === 0 ? [] : [{ do: "splice", path, splices }];
  });
}

/** `from` is the document that contains the links. */
export function linkSplices(
  links: readonly Link[],
  { path, to, slugs, from }: LinkRewrite & { readonly from: DocumentPath },
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

/** For a document that is moved: its links to itself, and its links to others that are relative to its old folder. */
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

/** Whether anything refers to the document as `@/path.md`. */
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

/** Whether `@/path.md` in a text would be read as this path; with a space or a bracket it would not. */
export function canBeReferredTo(path: DocumentPath): boolean {
  return referencesIn(`@${path}`)[0]?.path === path;
}

/** The section of a document that contains a link. */
export function linkPlace(document: Document, { at }: Link): string {
  const section = document.sections.at(at.start);
  return section ? `${document.path}#${section.slug}` : document.path;
}
