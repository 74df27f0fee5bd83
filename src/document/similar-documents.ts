/** Documents of nearly the same name as a new one: perhaps one of them was looked for. */
import { distance } from "fastest-levenshtein";
import type { DocumentPath } from "./address.ts";
import { nearestDocuments } from "./find-document.ts";
import type { Library } from "./store.ts";

export function similarDocuments(library: Library, path: DocumentPath): DocumentPath[] {
  return nearestDocuments(library, path).filter((each) => isSimilar(stemOf(each), stemOf(path)));
}

/** At most a quarter of it differs, or the order of its letters; names that differ in numbers alone are of one row, and not mistaken for each other. */
function isSimilar(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.replace(/\d+/g, "") === other.replace(/\d+/g, "")) return false;
  if (one.length > 2 && lettersOf(one) === lettersOf(other)) return true;
  return distance(one, other) <= Math.floor(Math.min(one.length, other.length) / 4);
}

function lettersOf(name: string): string {
  return [...name].sort().join("");
}

function stemOf(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.md$/, "")
    .toLowerCase();
}
