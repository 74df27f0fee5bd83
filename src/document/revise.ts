/** Edits → documents before and after, each with what is needed to do it again. Edits that change nothing are left out. */
import type { Splice } from "../plan/splice.ts";
import { assert } from "../std/assert.ts";
import type { DocumentPath } from "./address.ts";
import { Document } from "./document.ts";
import type { DocumentEdit, Library } from "./store.ts";

export interface Revision {
  readonly path: DocumentPath;
  /** Nothing of a document that is created. */
  readonly before?: Document;
  /** Nothing of a document that is removed. */
  readonly after?: Document;
  readonly redo?: Redo;
}

/** What makes the new text: all of it, or what is to be put into the old one. */
export type Redo = { readonly text: string } | { readonly splices: readonly Splice[] };

export function revise(now: Library, edits: readonly DocumentEdit[]): Revision[] {
  const paths = new Set(edits.map(({ path }) => path));
  assert(paths.size === edits.length, "a change edits each document once");
  return edits.map((edit) => revisionOf(now, edit)).filter(isChange);
}

function revisionOf(now: Library, edit: DocumentEdit): Revision {
  const { path } = edit;
  const { document: before, problem } = now.read(path);
  if (edit.do === "create") {
    assert(!before && !problem, `there is nothing at ${path} yet`);
    return { path, after: Document.of(path, edit.text), redo: { text: edit.text } };
  }
  assert(before, `${path} is there`);
  if (edit.do === "remove") return { path, before };
  return { path, before, after: before.spliced(edit.splices), redo: { splices: edit.splices } };
}

function isChange({ before, after }: Revision): boolean {
  return before?.hash !== after?.hash;
}
