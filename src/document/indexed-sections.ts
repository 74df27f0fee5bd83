/** The sections of a document as the search takes them in: each with its own text, and what it stands below. */
import type { Document } from "./document.ts";
import type { IndexedSection } from "./search-index.ts";

export function indexedSections(document: Document, title: string): IndexedSection[] {
  const { text, path, sections } = document;
  const { all, begin } = sections;
  const around = `${title} ${path.replace(/\.md$/, "")}`;
  const first = all[0]?.whole.start ?? text.length;
  const intro = text.slice(begin, first);
  const contexts = new Map<string, string>();
  const found = all.map(({ slug, title: heading, below, ownEnd, parent }): IndexedSection => {
    const above = parent === undefined ? "" : (contexts.get(parent) ?? "");
    contexts.set(slug, `${above} ${heading}`.slice(0, contextMax));
    return { slug, heading, context: `${around} ${above}`, text: text.slice(below, ownEnd) };
  });
  if (intro.trim() === "" && found.length > 0) return found;
  return [{ heading: title, context: around, text: intro }, ...found];
}

/** Five headings around a section; more would be somebody's joke. */
const contextMax = 1_000;
