/** Finds documents with nearly the same name as a new one; one of them may be what was wanted. */
import { distance } from "fastest-levenshtein";
import type { DocumentPath } from "../address.ts";
import { nearestDocuments } from "../find-document.ts";
import type { Library } from "../store.ts";

export function similarDocuments(library: Library, path: DocumentPath): DocumentPath[] {
  return nearestDocuments(library, path).filter((each) => isSimilar(stemOf(each), stemOf(path)));
}

/**
 * Similar names differ in at most a quarter of their letters, or only in the order of the letters. Names that differ
 * only in numbers belong to a series and are not confused with each other.
 */
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
