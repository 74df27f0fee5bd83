/**
 * Finds what conflicts with a new path: another spelling of it, or a document where it needs a folder, or the reverse.
 */
import { foldPath } from "../change/path.ts";
import { collision } from "../change/policy/spellings.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import type { DocumentEntry } from "./store.ts";

export function pathClash(entries: readonly DocumentEntry[], path: DocumentPath): Problem | undefined {
  const parts = path.split("/");
  const folded = foldPath(path).split("/");
  for (const entry of entries) {
    const others = entry.path.split("/");
    if (others[1] === undefined || foldPath(others[1]) !== folded[1]) continue;
    const shared = sharedParts(folded, foldPath(entry.path).split("/"));
    const differs = parts.findIndex((part, at) => at < shared && part !== others[at]);
    if (differs !== -1) {
      const spelling = (all: readonly string[]) => all.slice(0, differs + 1).join("/");
      return collision(path, spelling(parts), spelling(others), "beside each other");
    }
    if (shared === Math.min(parts.length, others.length) && parts.length !== others.length) {
      return notFolder(path, parts.length < others.length ? path : entry.path);
    }
  }
  return undefined;
}

function sharedParts(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

function notFolder(path: DocumentPath, both: string): Problem {
  return {
    code: "PATH_NOT_DIRECTORY",
    path,
    message: `${quote(both, 200)} would be a document and a folder`,
    hint: "Choose another name for one of them.",
  };
}
