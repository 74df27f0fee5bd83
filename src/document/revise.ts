/** Edits → documents before and after, each with what is needed to do it again and to take it back. Edits that change nothing are left out. */
import { inverseSplices, type Splice } from "../plan/splice.ts";
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
  /** Makes the new text of the old one. */
  readonly redo?: Remake;
  /** Makes the old text of the new one. */
  readonly undo?: Remake;
}

/** What makes one text of another: all of it, or what is to be put in. */
export type Remake = { readonly text: string } | { readonly splices: readonly Splice[] };

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
  if (edit.do === "remove") return { path, before, undo: { text: before.text } };
  const { splices } = edit;
  const undo = { splices: inverseSplices(before, splices) };
  return { path, before, after: before.spliced(splices), redo: { splices }, undo };
}

function isChange({ before, after }: Revision): boolean {
  return before?.hash !== after?.hash;
}
