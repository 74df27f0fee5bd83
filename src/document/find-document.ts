/** Finds a document, or a section or task in it. If there is none, suggests what was probably meant. */
import type { Span } from "../plan/plan.ts";
import { closestName } from "../std/closest-name.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { type DocumentPath, isOutside } from "./address.ts";
import type { Document } from "./document.ts";
import type { DocumentSection } from "./section/sections.ts";
import type { Library } from "./store.ts";

export function findDocument(
  library: Library,
  path: DocumentPath,
): { readonly document: Document } | { readonly problem: Problem } {
  const { document, problem } = library.read(path);
  if (document) return { document };
  return { problem: problem ?? notFound(library, path) };
}

/** A section or a task; a task may be a list item or have an id of its own. */
export interface Part {
  /** The name that every tool uses for it. */
  readonly slug: string;
  /** All names by which references may call it. */
  readonly names: readonly string[];
  readonly title: string;
  readonly whole: Span;
}

export function findPart(
  document: Document,
  slug: string,
): { readonly part: Part } | { readonly problem: Problem } {
  const section = document.sections.find(slug);
  if (section) return { part: sectionPart(document, section) };
  const task = document.tasks.find(slug);
  const { id, title, place } = task ?? {};
  const headed = task?.form === "heading" && place ? document.sections.at(place.whole.start) : undefined;
  if (headed) return { part: sectionPart(document, headed) };
  if (id !== undefined && title !== undefined && place)
    return { part: { slug: id, names: [id], title, whole: place.whole } };
  return { problem: partNotFound(document, slug) };
}

function sectionPart(document: Document, section: DocumentSection): Part {
  const { slug, title, whole } = section;
  const pinned = pinnedName(document, section);
  const names = pinned === undefined ? [slug] : [pinned, slug];
  return { slug: pinned ?? slug, names, title, whole };
}

/** Best match first: the same name in another folder, or a similar spelling. */
export function nearestDocuments(library: Library, path: string): DocumentPath[] {
  const paths = library.list().map((entry) => entry.path);
  const name = baseOf(path);
  const folder = path.slice(0, path.length - name.length);
  const sameName = paths.filter((each) => baseOf(each).toLowerCase() === name.toLowerCase());
  const beside = paths.filter(
    (each) => each.startsWith(folder) && baseOf(each).length === each.length - folder.length,
  );
  const close = [closestName(path, beside), closestName(path, paths)].filter((each) => each !== undefined);
  return [...new Set([...sameName, ...(close as DocumentPath[])])]
    .filter((each) => each !== path)
    .slice(0, 3);
}

export function nearestParts(document: Document, slug: string): string[] {
  const near = closestName(slug, slugsOf(document));
  return near === undefined ? [] : [near];
}

function notFound(library: Library, path: DocumentPath): Problem {
  const near = isOutside(path) ? [] : nearestDocuments(library, path);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((each) => oneLine(each, 200)).join(" or ")}? browse_documents shows what is there.`
      : "browse_documents shows what is there, search_documents finds words; create_document makes a new one.";
  return { code: "DOC_NOT_FOUND", path, message: `there is no document ${quote(path, 200)}`, hint };
}

function partNotFound(document: Document, slug: string): Problem {
  const [near] = nearestParts(document, slug);
  const slugs = slugsOf(document);
  const some = slugs.slice(0, 10).map((each) => `#${each}`);
  const hint = near
    ? `Did you mean #${near}?`
    : some.length > 0
      ? `It has ${some.join(", ")}${slugs.length > some.length ? ", …" : ""}.`
      : "It has no sections.";
  return {
    code: "SECTION_NOT_FOUND",
    path: document.path,
    message: `${quote(document.path, 200)} has no section or task ${quote(slug, 60)}`,
    hint: `${hint} view_document with "outline" shows all slugs.`,
  };
}

function slugsOf(document: Document): string[] {
  const sections = document.sections.all.map(({ slug }) => slug);
  return [...new Set([...sections, ...document.tasks.tasks.map(({ id }) => id)])];
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * The name of a section that is a task: its pinned `Id`, which every tool uses and which no new title changes. Undefined
 * if the section has no name besides its slug, or if that name means something else.
 */
export function pinnedName(document: Document, section: DocumentSection): string | undefined {
  // Checking for a pinned id first is cheaper than reading all tasks.
  if (!/\bid[ \t]*:/i.test(document.slice(section.below, section.ownEnd))) return undefined;
  const task = document.tasks.tasks.find(({ place }) => place.whole.start === section.whole.start);
  if (!task || task.id === section.slug || document.sections.find(task.id)) return undefined;
  return document.tasks.find(task.id)?.place.whole.start === section.whole.start ? task.id : undefined;
}
