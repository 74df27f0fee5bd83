/** Moves a document from `docs/` to the archive. */
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import { archivePath } from "./archive-path.ts";
import { catalogueOf } from "./catalogue.ts";
import { findDocument } from "./find-document.ts";
import { linksBack } from "./link/links-back.ts";
import type { Author, DocumentStore, StoreDecision } from "./store.ts";
import { whyNotWritable } from "./writable.ts";

export type DeletedDocument =
  /** With the sections of other documents that still refer to it. */
  | { readonly archivedTo: DocumentPath; readonly referredBy: readonly string[] }
  | { readonly problems: readonly Problem[] };

export async function deleteDocument(
  store: DocumentStore,
  author: Author,
  { path, tool }: { readonly path: DocumentPath; readonly tool: string },
): Promise<DeletedDocument> {
  const unfit = whyNotWritable(path);
  if (unfit) return { problems: [unfit] };
  const catalogue = catalogueOf(store);
  await catalogue.refreshed(store);
  return store.change(author, (now): StoreDecision<DeletedDocument> => {
    const found = findDocument(now, path);
    if ("problem" in found) return { answer: { problems: [found.problem] } };
    catalogue.refresh(now);
    const archivedTo = archivePath(now, { path, at: now.at });
    return {
      answer: { archivedTo, referredBy: linksBack(now, catalogue, { path }, { but: path }) },
      edits: [
        { do: "create", path: archivedTo, text: found.document.text },
        { do: "remove", path },
      ],
      done: { tool, about: `deleted ${path}, kept as ${archivedTo}` },
    };
  });
}
