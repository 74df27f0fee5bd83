/** The sections of a document as the search indexes them: each with its own text and its parent section. */
import { oneLine } from "../../std/printable.ts";
import type { Document } from "../document.ts";
import type { IndexedSection } from "./search-index.ts";

/**
 * The first entry stands for the document: the section that has its title, or, if there is none, an entry of its own
 * with the text before the first heading.
 */
export function indexedSections(document: Document, title: string): IndexedSection[] {
  const { sections } = document;
  const { all, begin } = sections;
  const intro = document.slice(begin, all[0]?.whole.start ?? document.length);
  const titled = all.findIndex((section) => section.level === 1 && oneLine(section.title, 200) === title);
  const found: IndexedSection[] = titled === -1 ? [{ title, parent: 0, text: intro }] : [];
  const places = new Map<string, number>();
  const take = (index: number) => {
    const section = all[index];
    if (!section) return;
    const { slug, title, parent, below, ownEnd } = section;
    places.set(slug, found.length);
    const around = parent === undefined ? 0 : (places.get(parent) ?? 0);
    found.push({ index, title, parent: around, text: document.slice(below, ownEnd) });
  };
  take(titled);
  if (titled !== -1 && intro.trim() !== "") found.push({ title: "", parent: 0, text: intro });
  for (const index of all.keys()) if (index !== titled) take(index);
  return found;
}
