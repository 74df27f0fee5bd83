/** Which documents the tools for documents may change: those of `docs/`, and the sections of the coordinator's list. */

import { foldPath } from "../change/path.ts";
import { collision } from "../change/spellings.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { activeList, type DocumentPath, isOutside } from "./address.ts";
import type { DocumentEntry } from "./store.ts";

/** Nothing where a section of it may be edited. */
export function whyNotEditable(path: DocumentPath): Problem | undefined {
  return path === activeList ? undefined : whyNotWritable(path);
}

/** Nothing where it may be made, moved or deleted. */
export function whyNotWritable(path: DocumentPath): Problem | undefined {
  if (!isOutside(path)) return undefined;
  const isArchived = path.startsWith("/archived/");
  return {
    code: isArchived ? "DOC_ARCHIVED" : "DOC_COORDINATOR",
    path,
    message: isArchived
      ? `${quote(path, 200)} is an archive, which stays as it is`
      : `${quote(path, 200)} is not one of the documents: /coordinator/ has the coordinator's list and nothing else`,
    hint: isArchived
      ? "Read it with view_document and make a new one with create_document."
      : 'Use coordinator_task for the tasks of the list ("clear" archives it), section to edit its text.',
  };
}

/** What is there already and cannot stand beside the path. */
export function clashOf(entries: readonly DocumentEntry[], path: DocumentPath): Problem | undefined {
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
