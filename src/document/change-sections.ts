/**
 * Operations on the sections of one document, done: checked against what the caller saw, all or none.
 *
 * Where slugs change, because a heading got a new title or the numbers of equal titles moved on, every reference
 * follows in the same change, in all documents; so does every `Depends-On` of the document itself.
 */
import type { Task } from "../plan/plan.ts";
import type { Splice } from "../plan/splice.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { Document } from "./document.ts";
import { editSections, type SectionEdit } from "./edit-sections.ts";
import { findDocument, findPart } from "./find-document.ts";
import { linksIn, linksOf } from "./links.ts";
import { linksBack } from "./links-back.ts";
import type { Pieces } from "./pieces.ts";
import { linkEdits, linkPlace, linkSplices } from "./rewrite-links.ts";
import { sectionDeeds } from "./section-deeds.ts";
import type { SectionOperation } from "./section-operation.ts";
import type { Sections } from "./sections.ts";
import type { SeenDocuments } from "./seen-documents.ts";
import type { Author, Decision, DocumentEdit, DocumentStore, Library } from "./store.ts";
import { pinnedName } from "./task-name.ts";
import { doubledTask, goneTasks, namelessTask, renamedTasks, taskSplices } from "./task-slugs.ts";
import { unseenChange } from "./unseen-change.ts";
import { whyNotEditable, whyTooLarge } from "./writable.ts";

export interface SectionChange {
  readonly path: DocumentPath;
  readonly operations: readonly SectionOperation[];
  /** Of the document as the caller saw it, or its beginning. */
  readonly hash?: string;
  /** What the caller knows of it, where no hash is given. */
  readonly seen?: SeenDocuments;
  /** For the history. */
  readonly tool: string;
}

export type SectionAnswer = ChangedSections | { readonly problems: readonly Problem[] };

export interface ChangedSections {
  /** As it is now. */
  readonly document: Document;
  /** What each operation made or changed; none where that is the document, or gone. */
  readonly slugs: readonly (string | undefined)[];
  /** Of other sections too: numbers of equal titles. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
  /** Those that went with a section or its text, as they were. */
  readonly removedTasks: readonly Task[];
  /** Other documents whose references followed. */
  readonly rewritten: readonly DocumentPath[];
  /** References to what was removed, which now lead nowhere. */
  readonly broken: readonly { readonly slug: string; readonly from: readonly string[] }[];
}

export async function changeSections(
  store: DocumentStore,
  author: Author,
  change: SectionChange,
): Promise<SectionAnswer> {
  const catalogue = catalogueOf(store);
  // Tried once outside, so that whatever must be read of all documents is read before the others are kept waiting.
  let result = edited(store, change);
  if ("edit" in result && mattersToOthers(result.edit)) await catalogue.refreshed(store);
  return store.change(author, (now): Decision<SectionAnswer> => {
    // To read a long document again takes longer than all the rest: only if it is another one by now.
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
      /** What it comes to, links and dependencies inside of it included. */
      readonly splices: readonly Splice[];
      /** Of the document with these splices, where they are known. */
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

type Deciding = Extract<Edited, { readonly edit: SectionEdit }> & { readonly change: SectionChange };

function decided(
  now: Library,
  catalogue: Catalogue,
  { document, edit, splices, sections, change }: Deciding,
): Decision<SectionAnswer> {
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

/** References and dependencies in what was there before; what the caller wrote anew is the caller's. */
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
  // From the end, so that none moves another.
  for (const splice of splices.toSorted((one, other) => other.start - one.start)) pieces.splice(splice);
  return pieces;
}

/** A task with a pinned id goes by that: a reference to its heading's old words becomes one that no title changes again. */
function called(after: Document, renamed: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...renamed].map(([was, slug]) => [was, nameIn(after, slug)]));
}

function nameIn(document: Document, slug: string): string {
  const section = document.sections.find(slug);
  return (section && pinnedName(document, section)) ?? slug;
}

/** A new section of the same slug takes the place of the old one; an old one that got its slug does not. */
function removedFrom(after: Document, { gone, renamed }: SectionEdit): string[] {
  const taken = new Set(renamed.values());
  return gone.filter((slug) => after.sections.find(slug) === undefined || taken.has(slug));
}

function linksInto(document: Document, slug: string): string[] {
  const links = linksOf(document).filter((link) => link.path === document.path && link.slug === slug);
  return [...new Set(links.map((link) => linkPlace(document, link)))];
}

function movedOn({ path, hash }: Document, seen: string): Problem {
  return {
    code: "DOC_CHANGED",
    path,
    message: `${quote(path, 200)} is no longer the document you saw: its hash is ${hash.slice(0, 16)}, not ${quote(seen, 80)}`,
    hint: "Read it again with view_document or section, and decide on what it says now.",
  };
}
