/**
 * The links in a document: references (`@/path.md#slug`), and Markdown links to documents.
 *
 * Front matter, code and comments contain none; tables contain Markdown links only.
 */

import type { Span } from "../../plan/plan.ts";
import { type SourceLine, scanLines } from "../../plan/read/lines.ts";
import { findReferences } from "../../plan/references.ts";
import type { Problem } from "../../std/problem.ts";
import { type DocumentPath, readAddress } from "../address.ts";
import type { Document } from "../document.ts";
import { markdownLinks, type WrittenLink } from "./markdown-links.ts";

export interface Link {
  /** As written: `@/docs/a.md#b`, `../a.md#b`. */
  readonly spelled: string;
  readonly at: Span;
  readonly written: WrittenLink | "reference";
  /** Missing if the text cannot name a document. */
  readonly path?: DocumentPath;
  readonly slug?: string;
  readonly problem?: Problem;
}

/** Documents are immutable, so each is scanned for links once. */
const known = new WeakMap<Document, readonly Link[]>();

export function linksOf(document: Document): readonly Link[] {
  const before = known.get(document);
  if (before) return before;
  const links = linksIn(document.text, { begin: document.sections.begin, from: document.path });
  known.set(document, links);
  return links;
}

/** Links in the document `from`; `begin` is where the text starts, after any front matter. */
export function linksIn(
  text: string,
  { begin, from }: { begin: number; from: DocumentPath },
): readonly Link[] {
  const hasReferences = text.includes("@/");
  const hasLinks = text.includes("](") || text.includes("]:");
  if (!hasReferences && !hasLinks) return [];
  const { lines } = scanLines(text, begin);
  const links = hasLinks ? markdownLinks(text, lines, from) : [];
  const spelled = links.map((link): Link => ({ ...link, spelled: text.slice(link.at.start, link.at.end) }));
  return [...(hasReferences ? referencesOn(text, lines) : []), ...spelled].toSorted(
    (one, other) => one.at.start - other.at.start,
  );
}

/** References in any text, whether or not it is from a document. */
export function referencesIn(text: string): readonly Link[] {
  return text.includes("@/") ? referencesOn(text, scanLines(text).lines) : [];
}

function referencesOn(text: string, lines: readonly SourceLine[]): Link[] {
  return findReferences(text, lines).map(({ path, slug, at }): Link => {
    const written = "reference";
    const spelled = text.slice(at.start, at.end);
    const read = readAddress(path);
    if ("problem" in read) return { spelled, at, written, problem: read.problem };
    return { spelled, at, written, path: read.address.path, ...(slug !== undefined && { slug }) };
  });
}

/** The spans of a link's path and of its slug. */
export function placesOf({ spelled, at, written }: Link): { readonly path: Span; readonly slug: Span } {
  const hash = spelled.indexOf("#");
  const end = hash === -1 ? at.end : at.start + hash;
  const start = written === "reference" ? at.start + 1 : at.start;
  return { path: { start, end }, slug: { start: Math.min(end + 1, at.end), end: at.end } };
}
