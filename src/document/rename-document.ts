/**
 * Moves a document to another path, and updates every reference and link to it, in all documents, in the same change.
 */
import { applySplices } from "../plan/edit/splice.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import { catalogueOf } from "./catalogue.ts";
import { findDocument } from "./find-document.ts";
import { canBeReferredTo, isReferredTo, linkEdits, moveSplices } from "./link/rewrite-links.ts";
import { pathClash } from "./path-clash.ts";
import type { Author, DocumentStore, StoreDecision } from "./store.ts";
import { whyNotWritable } from "./writable.ts";

export interface DocumentMove {
  readonly path: DocumentPath;
  readonly to: DocumentPath;
  readonly tool: string;
}

export type RenamedDocument =
  | { readonly rewritten: readonly DocumentPath[] }
  | { readonly problems: readonly Problem[] };

export async function renameDocument(
  store: DocumentStore,
  author: Author,
  { path, to, tool }: DocumentMove,
): Promise<RenamedDocument> {
  const unfit = whyNotWritable(path) ?? whyNotWritable(to);
  if (unfit) return { problems: [unfit] };
  if (path === to) return { problems: [sameName(path)] };
  const catalogue = catalogueOf(store);
  await catalogue.refreshed(store);
  return store.change(author, (now): StoreDecision<RenamedDocument> => {
    const found = findDocument(now, path);
    if ("problem" in found) return { answer: { problems: [found.problem] } };
    const there = now.read(to);
    if (there.document) return { answer: { problems: [taken(to)] } };
    const others = now.list().filter((entry) => entry.path !== path);
    const clash = pathClash(others, to) ?? there.problem;
    if (clash) return { answer: { problems: [clash] } };
    catalogue.refresh(now);
    const { document } = found;
    const own = moveSplices(document, to);
    const followed = linkEdits(now, catalogue, { path, to });
    if (!canBeReferredTo(to) && isReferredTo(now, catalogue, path))
      return { answer: { problems: [unreferable(to)] } };
    return {
      answer: { rewritten: followed.map((other) => other.path) },
      edits: [
        { do: "create", path: to, text: applySplices(document.text, own) },
        { do: "remove", path },
        ...followed,
      ],
      done: { tool, about: `renamed ${path} to ${to}` },
    };
  });
}

function sameName(path: DocumentPath): Problem {
  return {
    code: "DOC_SAME_NAME",
    path,
    message: `${quote(path, 200)} has that name already`,
    hint: "Give another path; for the title of a section, name the section: /a.md#slug",
  };
}

function taken(path: DocumentPath): Problem {
  return {
    code: "DOC_EXISTS",
    path,
    message: `there is a document ${quote(path, 200)} already; nothing was overwritten`,
    hint: "Choose another path, or remove that one first with delete_document.",
  };
}

function unreferable(path: DocumentPath): Problem {
  return {
    code: "DOC_UNREFERABLE",
    path,
    message: `${quote(path, 200)} has characters that no reference can have, and there are references to follow`,
    hint: "Choose a path without blanks, quotes, brackets and commas.",
  };
}
