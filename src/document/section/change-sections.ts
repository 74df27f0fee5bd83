/**
 * Applies operations to the sections of one document, all or none, after checking them against what the caller saw.
 *
 * If slugs change, because a heading got a new title or the numbers of equal titles shifted, every reference in all
 * documents follows in the same change, and so does every `Depends-On` in the document itself.
 */

import type { Splice } from "../../plan/edit/splice.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { DocumentPath } from "../address.ts";
import { type Catalogue, catalogueOf } from "../catalogue.ts";
import { Document, shortHash } from "../document.ts";
import { findDocument, findPart, pinnedName } from "../find-document.ts";
import { linksIn, linksOf } from "../link/links.ts";
import { linksBack } from "../link/links-back.ts";
import { linkEdits, linkPlace, linkSplices } from "../link/rewrite-links.ts";
import type { SeenDocuments } from "../seen-documents.ts";
import type { Author, DocumentEdit, DocumentStore, Library, StoreDecision } from "../store.ts";
import { doubledTask, goneTasks, namelessTask, renamedTasks, taskSplices } from "../task-slugs.ts";
import type { Pieces } from "../text/pieces.ts";
import { whyNotEditable, whyTooLarge } from "../writable.ts";
import { editSections, type SectionEdit } from "./edit-sections.ts";
import { sectionDeeds } from "./section-deeds.ts";
import type { SectionOperation } from "./section-operation.ts";
import type { Sections } from "./sections.ts";
import { unseenChange } from "./unseen-change.ts";

export interface SectionChange {
  readonly path: DocumentPath;
  readonly operations: readonly SectionOperation[];
  /** The hash, or its beginning, of the document as the caller saw it. */
  readonly hash?: string;
  /** What the caller has seen of it, used if no hash is given. */
  readonly seen?: SeenDocuments;
  /** For the history. */
  readonly tool: string;
}

export type SectionAnswer = ChangedSections | { readonly problems: readonly Problem[] };

export interface ChangedSections {
  /** The document after the change. */
  readonly document: Document;
  /** The section that each operation made or changed; undefined if that is the document, or if it is gone. */
  readonly slugs: readonly (string | undefined)[];
  /** Old slugs to new ones. May include other sections, if the numbers of equal titles shifted. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
  /** Tasks removed together with a section or its text, as they were. */
  readonly removedTasks: readonly PlanTask[];
  /** Other documents whose references were updated. */
  readonly rewritten: readonly DocumentPath[];
  /** References to what was removed, which are now broken. */
  readonly broken: readonly { readonly slug: string; readonly from: readonly string[] }[];
}

export async function changeSections(
  store: DocumentStore,
  author: Author,
  change: SectionChange,
): Promise<SectionAnswer> {
  const catalogue = catalogueOf(store);
  // Try it outside the lock first, so that anything that needs all documents is read before others have to wait.
  let result = edited(store, change);
  if ("edit" in result && mattersToOthers(result.edit)) await catalogue.refreshed(store);
  return store.change(author, (now): StoreDecision<SectionAnswer> => {
    // Reading a long document again takes longer than all the rest, so do it only if the document changed.
    const isKnown = "document" in result && now.read(change.path).document === result.document;
    if (!isKnown) result = edited(now, change);
    if ("problems" in result) return { answer: result };
    return decided(now, catalogue, { ...result, change });
  });
}

type Edited =
  | {
      readonly document: Document;
      readonly edit: SectionEdit;
      /** The resulting splices, including updated links and dependencies inside the document. */
      readonly splices: readonly Splice[];
      /** The sections of the document with these splices applied, if known. */
      readonly sections?: Sections;
    }
  | { readonly problems: readonly Problem[] };

function edited(library: Library, { path, operations, hash, seen }: SectionChange): Edited {
  const unfit = whyNotEditable(path);
  if (unfit) return { problems: [unfit] };
  const found = findDocument(library, path);
  if ("problem" in found) return { problems: [found.problem] };
  const { document } = found;
  if (hash !== undefined && !document.hash.startsWith(hash)) return { problems: [movedOn(document, hash)] };
  const result = editSections(document, operations);
  if ("problems" in result) return { problems: result.problems.map((problem) => ({ ...problem, path })) };
  const unseen = seen && hash === undefined ? unseenChange(document, { operations, seen }) : undefined;
  if (unseen) return { problems: [unseen] };
  const { edit } = result;
  const doubled = doubledTask(document, edit.draft) ?? namelessTask(document, edit.draft);
  if (doubled) return { problems: [{ ...doubled, path }] };
  const pieces = followedInside(document, edit);
  const splices = pieces.splices();
  const isAsRead = pieces === edit.draft.pieces;
  return { document, edit, splices, ...(isAsRead && { sections: edit.draft.sections }) };
}

function mattersToOthers({ renamed, gone }: SectionEdit): boolean {
  return renamed.size > 0 || gone.length > 0;
}

type EditDecision = Extract<Edited, { readonly edit: SectionEdit }> & { readonly change: SectionChange };

function decided(
  now: Library,
  catalogue: Catalogue,
  { document, edit, splices, sections, change }: EditDecision,
): StoreDecision<SectionAnswer> {
  const { path } = document;
  const { draft, renamed, slugs } = edit;
  const after = splices.length === 0 ? document : document.spliced(splices, sections && { sections });
  const tooLarge = whyTooLarge(after);
  if (tooLarge) return { answer: { problems: [tooLarge] } };
  const removed = removedFrom(after, edit);
  const removedTasks = goneTasks(document, { after, change, draft });
  const went = [...new Set([...removed, ...removedTasks.map(({ id }) => id)])];
  if (mattersToOthers(edit) || went.length > 0) catalogue.refresh(now);
  const others = renamed.size > 0 ? linkEdits(now, catalogue, { path, slugs: called(after, renamed) }) : [];
  const answer: ChangedSections = {
    document: after,
    slugs: slugs.map((slug) => slug && nameIn(after, slug)),
    renamed,
    removed,
    removedTasks,
    rewritten: others.map((other) => other.path),
    broken: went.flatMap((slug) => {
      if ("part" in findPart(after, slug)) return [];
      const others = linksBack(now, catalogue, { path, slugs: [slug] }, { but: path });
      const from = [...linksInto(after, slug), ...others];
      return from.length > 0 ? [{ slug, from }] : [];
    }),
  };
  if (splices.length === 0) return { answer };
  const edits: DocumentEdit[] = [{ do: "splice", path, splices }, ...others];
  const about = sectionDeeds({ operations: change.operations, slugs, removed: went });
  return { answer, edits, done: { tool: change.tool, about } };
}

/**
 * Updates references and dependencies in text that was there before. What the caller has just written is left alone.
 */
function followedInside(document: Document, { draft, renamed }: SectionEdit): Pieces {
  const tasks = renamedTasks(document, draft);
  if (renamed.size === 0 && tasks.size === 0) return draft.pieces;
  const { path: from } = document;
  const links = linksIn(draft.text, { begin: draft.sections.begin, from });
  const after = Document.of(document.path, draft.text);
  const splices = [
    ...linkSplices(links, { path: from, slugs: called(after, renamed), from }),
    ...taskSplices(after, tasks),
  ].filter(({ start }) => draft.pieces.isOriginal(start));
  if (splices.length === 0) return draft.pieces;
  const pieces = draft.pieces.copy();
  // From the end, so that no splice shifts another.
  for (const splice of splices.toSorted((one, other) => other.start - one.start)) pieces.splice(splice);
  return pieces;
}

/**
 * A task with a pinned id goes by that id: a reference by its old heading becomes one that no new title breaks again.
 */
function called(after: Document, renamed: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...renamed].map(([was, slug]) => [was, nameIn(after, slug)]));
}

function nameIn(document: Document, slug: string): string {
  const section = document.sections.find(slug);
  return (section && pinnedName(document, section)) ?? slug;
}

/** A new section with the same slug replaces the old one; an old section that inherited the slug does not. */
function removedFrom(after: Document, { gone, renamed }: SectionEdit): string[] {
  const taken = new Set(renamed.values());
  return gone.filter((slug) => after.sections.find(slug) === undefined || taken.has(slug));
}

function linksInto(document: Document, slug: string): string[] {
  const links = linksOf(document).filter((link) => link.path === document.path && link.slug === slug);
  return [...new Set(links.map((link) => linkPlace(document, link)))];
}

function movedOn(document: Document, seen: string): Problem {
  const { path } = document;
  return {
    code: "DOC_CHANGED",
    path,
    message: `${quote(path, 200)} is no longer the document you saw: its hash is ${shortHash(document)}, not ${quote(seen, 80)}`,
    hint: "Read it again with view_document or section, and decide on what it says now.",
  };
}
