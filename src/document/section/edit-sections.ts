/**
 * Applies operations to the sections of one document, in order, all or none, and returns the resulting splices.
 *
 * A slug means the section that had it in the original document, even if an earlier operation shifted the numbers of
 * equal titles. A slug that is not in the original means a section that an earlier operation made.
 */
import { assert } from "../../std/assert.ts";
import { closestName } from "../../std/closest-name.ts";
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Document } from "../document.ts";
import { insertSection, moveSection, removeSection } from "./place-section.ts";
import { type DraftStep, SectionDraft, stepped, type Target } from "./section-draft.ts";
import { type SectionOperation, unfitOperation } from "./section-operation.ts";
import { writeSection } from "./write-section.ts";

export type EditedSections = { readonly edit: SectionEdit } | { readonly problems: readonly Problem[] };

export interface SectionEdit {
  readonly draft: SectionDraft;
  /** For sections that still exist: old slug to new slug. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The slugs of sections that no longer exist. */
  readonly gone: readonly string[];
  /** For each operation, the current slug of what it made or changed; undefined for the document, or if it is gone. */
  readonly slugs: readonly (string | undefined)[];
}

export function editSections(document: Document, operations: readonly SectionOperation[]): EditedSections {
  const unfit = operations.flatMap((operation, index) => {
    const problem = unfitOperation(operation);
    return problem ? [at(problem, index)] : [];
  });
  if (unfit.length > 0) return { problems: unfit };
  const draft = new SectionDraft(document.text, document.sections);
  const touched: (number | undefined)[] = [];
  for (const [index, operation] of operations.entries()) {
    const done = perform(draft, operation, document);
    if ("problem" in done) return { problems: [at(done.problem, index)] };
    touched.push(done.id);
  }
  if (isEmptied(draft, document)) return { problems: [emptied] };
  const now = draft.slugsById();
  const renamed = new Map<string, string>();
  const gone: string[] = [];
  for (const [id, { slug }] of draft.original.all.entries()) {
    const name = now.get(id);
    if (name === undefined) gone.push(slug);
    else if (name !== slug) renamed.set(slug, name);
  }
  const slugs = touched.map((id) => (id === undefined ? undefined : now.get(id)));
  return { edit: { draft, renamed, gone, slugs } };
}

function isEmptied(draft: SectionDraft, { text, sections }: Document): boolean {
  return draft.text.slice(draft.sections.begin).trim() === "" && text.slice(sections.begin).trim() !== "";
}

const emptied: Problem = {
  code: "SECTION_LAST",
  message: "nothing of the document would be left",
  hint: "delete_document moves a document to the archive; to rewrite it, use replace with the slug of its title.",
};

function perform(draft: SectionDraft, given: SectionOperation, document: Document): DraftStep {
  const { operation, title, content = "" } = given;
  const target = given.slug === undefined ? draft.whole() : sectionOf(draft, given.slug, document);
  if ("problem" in target) return target;
  switch (operation) {
    case "append":
    case "replace":
    case "replace_text":
    case "prepend":
      if (given.slug === undefined && draft.countInside(target) > 0) {
        if (operation === "append") return { problem: noPlace };
        if (operation === "replace") return { problem: takesAll(draft, target) };
      }
      return writeSection(draft, { target, how: operation, content });
    case "insert_before":
    case "insert_after":
    case "append_child": {
      const where = { target, as: operation };
      if (given.from === undefined) return insertSection(draft, where, { title, content });
      const from = sectionOf(draft, given.from, document);
      return "problem" in from ? from : moveSection(draft, where, from);
    }
    case "remove":
      return removeSection(draft, target);
    case "rename":
      return rename(draft, target, title ?? "");
  }
}

/** It could mean after the title or at the very end; only the caller knows. */
const noPlace: Problem = {
  code: "SECTION_ARGUMENT",
  message: "append was given no section, and the document has several",
  hint: 'Name the section in "slug"; append_child adds a section at the end of the document.',
  field: "slug",
};

/** The caller may mean the text below the title, or everything: do not guess that tasks and sections should go. */
function takesAll(draft: SectionDraft, target: Target): Problem {
  const count = counted(draft.countInside(target), "section");
  const whole =
    target.slug === undefined ? "" : `; to replace everything below the title, give "slug": "${target.slug}"`;
  return {
    code: "SECTION_ARGUMENT",
    message: `replace was given no section, and would remove ${count} of the document`,
    hint: `Name the section in "slug". replace_text changes only the text before the first section${whole}.`,
    field: "slug",
  };
}

function rename(draft: SectionDraft, { index }: Target, title: string): DraftStep {
  const section = draft.sections.all[index];
  assert(section, "a document as a whole is not renamed by an operation on a section");
  const { titleAt } = section;
  const space = draft.text[titleAt.start - 1] === "#" ? " " : "";
  const heads = draft.heads.map((head, at) => (at === index ? { ...head, title } : head));
  return stepped(draft.step({ ...titleAt, text: space + title }, heads), heads[index]?.id);
}

function sectionOf(
  draft: SectionDraft,
  slug: string,
  document: Document,
): Target | { readonly problem: Problem } {
  const found = draft.find(slug);
  if (found && found !== "gone") return found;
  // A task with a pinned id is known by that id.
  const task = found === "gone" ? undefined : document.tasks.find(slug);
  const section = task?.form === "heading" ? document.sections.at(task.place.whole.start) : undefined;
  const pinned = section && draft.find(section.slug);
  if (pinned && pinned !== "gone") return pinned;
  return {
    problem: notFound(draft, {
      slug,
      isShortTask: task?.form === "bullet",
      isGone: found === "gone" || pinned === "gone",
    }),
  };
}

function notFound(
  draft: SectionDraft,
  { slug, isShortTask, isGone }: { slug: string; isShortTask: boolean; isGone: boolean },
): Problem {
  const slugs = draft.sections.all.map((section) => section.slug);
  const near = closestName(slug, slugs);
  const hint = isShortTask
    ? "It is a short task, a line of a list: edit it with subagent_task or coordinator_task."
    : near
      ? `Did you mean #${near}? view_document with "outline" shows all slugs.`
      : `There is ${
          slugs
            .slice(0, 10)
            .map((each) => `#${each}`)
            .join(", ") || "none"
        }. view_document with "outline" shows all slugs.`;
  const what = isGone ? "an earlier operation removed the section" : "there is no section";
  return { code: "SECTION_NOT_FOUND", message: `${what} ${quote(slug, 60)}`, hint, field: "slug" };
}

function at(problem: Problem, index: number): Problem {
  const field =
    problem.field === undefined ? `operations[${index}]` : `operations[${index}].${problem.field}`;
  return { ...problem, message: `operation ${index + 1}: ${problem.message}`, index, field };
}
