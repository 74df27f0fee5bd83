/**
 * The references of a document (`@/path.md#slug`) with the documents they name.
 *
 * Front matter, code, comments and tables hold none.
 */
import { scanLines } from "../plan/lines.ts";
import type { Span } from "../plan/plan.ts";
import { findReferences } from "../plan/references.ts";
import type { Problem } from "../std/problem.ts";
import { type DocumentPath, readAddress } from "./address.ts";
import type { Document } from "./document.ts";

export interface Link {
  /** As it was written: `@/docs/a.md#b`. */
  readonly spelled: string;
  readonly at: Span;
  /** Nothing where what was written can name no document. */
  readonly path?: DocumentPath;
  readonly slug?: string;
  readonly problem?: Problem;
}

/** Documents never change, so each is read for its links once. */
const known = new WeakMap<Document, readonly Link[]>();

export function linksOf(document: Document): readonly Link[] {
  const before = known.get(document);
  if (before) return before;
  const links = linksIn(document.text, document.sections.begin);
  known.set(document, links);
  return links;
}

/** `begin` is where the text begins, behind a front matter. */
export function linksIn(text: string, begin = 0): readonly Link[] {
  if (!text.includes("@/")) return [];
  return findReferences(text, scanLines(text, begin).lines).map(({ path, slug, at }): Link => {
    const spelled = text.slice(at.start, at.end);
    const read = readAddress(path);
    if ("problem" in read) return { spelled, at, problem: read.problem };
    return { spelled, at, path: read.address.path, ...(slug !== undefined && { slug }) };
  });
}

/** Where the path of a link stands, and where its slug does. */
export function placesOf({ spelled, at }: Link): { readonly path: Span; readonly slug: Span } {
  const hash = spelled.indexOf("#");
  const end = hash === -1 ? at.end : at.start + hash;
  return { path: { start: at.start + 1, end }, slug: { start: Math.min(end + 1, at.end), end: at.end } };
}
