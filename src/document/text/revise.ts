/**
 * Edits → documents before and after, each with what it takes to redo and undo it. Edits without effect are left out.
 */
import { inverseSplices, type Splice } from "../../plan/edit/splice.ts";
import { assert } from "../../std/assert.ts";
import type { DocumentPath } from "../address.ts";
import { Document } from "../document.ts";
import type { DocumentEdit, Library } from "../store.ts";

export interface Revision {
  readonly path: DocumentPath;
  /** Missing if the document is created. */
  readonly before?: Document;
  /** Missing if the document is removed. */
  readonly after?: Document;
  /** Turns the old text into the new one. */
  readonly redo?: Remake;
  /** Turns the new text into the old one. */
  readonly undo?: Remake;
}

/** How to get one text from another: the whole text, or splices. */
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
