/**
 * Finds the one task that is meant: by its slug, `#slug`, or its full address. To change a task, the name must be
 * unique. If several tasks share it, or the task has none, the problem says how to tell them apart.
 */

import { addressText, type DocumentPath, readAddress } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import { idFromTitle } from "../../plan/id.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { fieldValue } from "../../plan/read/field-values.ts";
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type HowTo, whereIs } from "../how-to.ts";

export type FoundTask = { readonly task: PlanTask } | { readonly problem: Problem };

/** Finds a task to change. */
export function oneTask(document: Document, given: string, how: HowTo): FoundTask {
  const found = findTask(document, given, how);
  if ("problem" in found) return found;
  const problem = whyNotOne(document, found.task, how);
  return problem ? { problem } : found;
}

/** Finds a task to look at. */
export function findTask(document: Document, given: string, how: HowTo): FoundTask {
  const read = taskSlug(given, document.path);
  if ("problem" in read) return read;
  const { slug } = read;
  const [task, second] = document.tasks.all(slug);
  if (task) return second ? { problem: ambiguous(document, slug, how) } : { task };
  const headed = taskUnder(document, slug);
  const problem = headed && whyNotOne(document, headed, how);
  return { problem: problem ?? unknownTask(document, slug, { how, near: headed?.id }) };
}

/** Reads a slug in any of its forms, without checking that the task exists. */
export function taskSlug(
  given: string,
  path: DocumentPath,
): { readonly slug: string } | { readonly problem: Problem } {
  if (given.indexOf("#") <= 0) return { slug: given.replace(/^#/, "") };
  const read = readAddress(given);
  if ("problem" in read) return read;
  const { path: other, slug = "" } = read.address;
  if (other === path) return { slug };
  const message = `${quote(given, 200)} is a task of ${oneLine(other, 200)}, and this is about ${path}`;
  return {
    problem: { code: "TASK_ELSEWHERE", path, message, hint: `Name ${oneLine(other, 200)} as the document.` },
  };
}

/** Why a name does not identify this task; undefined if it does. */
export function whyNotOne(document: Document, task: PlanTask, how: HowTo): Problem | undefined {
  const problem = whyConflict(document);
  if (problem) return problem;
  if (isNameless(document, task)) return nameless(document, task, how);
  return document.tasks.all(task.id).length > 1 ? ambiguous(document, task.id, how) : undefined;
}

export function whyConflict(document: Document): Problem | undefined {
  const { path, tasks } = document;
  const { conflict } = tasks;
  if (conflict === undefined) return undefined;
  return {
    code: "DOC_CONFLICT",
    path,
    message: `${path} holds both sides of a merge, from line ${lineOf(document, conflict)} on ("<<<<<<<"): which of its tasks count is not decided`,
    hint: `Resolve the merge in ${whereIs(path)} first: keep what is right, and take out the lines <<<<<<<, ======= and >>>>>>>.`,
  };
}

/** A title without letters and digits, and no Id: its name is its number, which changes with the tasks before it. */
function isNameless(document: Document, { id, title, fields }: PlanTask): boolean {
  if (idFromTitle(title) !== "") return false;
  return !fields.some(({ key, value }) => key === "id" && fieldValue(document, value) === id);
}

function nameless(document: Document, task: PlanTask, how: HowTo): Problem {
  const { path } = document;
  const line = lineOf(document, task.place.whole.start);
  return {
    code: "TASK_NAMELESS",
    path,
    message: `the task ${quote(task.title, 60)} of ${path} (line ${line}) has no letter or digit in its title and no Id, so nothing names it for sure`,
    hint: `Give it a title with words: ${toRename(document, task, how)}.`,
  };
}

function ambiguous(document: Document, slug: string, how: HowTo): Problem {
  const { path } = document;
  const same = document.tasks.all(slug);
  const lines = same.slice(0, 10).map(({ place }) => lineOf(document, place.whole.start));
  const more = same.length > lines.length ? " and more" : "";
  const last = same.at(-1);
  return {
    code: "TASK_AMBIGUOUS",
    path,
    message: `${path} has ${same.length} tasks that are called #${oneLine(slug, 100)} (lines ${lines.join(", ")}${more}); which one is meant?`,
    hint: `Give each a name of its own${last ? `, the last one for example: ${toRename(document, last, how)}` : ""}.`,
  };
}

function toRename(document: Document, task: PlanTask, how: HowTo): string {
  const { start } = task.place.whole;
  const section = document.sections.at(start);
  return how.toRename({
    path: document.path,
    line: lineOf(document, start),
    section: section?.slug,
    isHeading: section?.whole.start === start,
  });
}

/** The task whose heading has this section slug, but a different slug as a task. */
function taskUnder(document: Document, slug: string): PlanTask | undefined {
  const section = document.sections.find(slug);
  return section && document.tasks.tasks.find(({ place }) => place.whole.start === section.whole.start);
}

function lineOf(document: Document, offset: number): number {
  return document.slice(0, offset).split("\n").length;
}

/** Suggests the closest name, and how to list all tasks. */
export function unknownTask(
  document: Document,
  slug: string,
  { how, near }: { readonly how: HowTo; readonly near?: string | undefined },
): Problem {
  const { path } = document;
  const names = Array.from(document.tasks.facts(), ({ id }) => id as string);
  const meant = near ?? closestName(slug, names);
  return {
    code: "TASK_NOT_FOUND",
    path,
    message: `${path} has no task ${quote(slug, 60)}${names.length === 0 ? "; it has no tasks at all" : ""}`,
    hint: `${meant === undefined ? "" : `Did you mean ${oneLine(near === undefined ? `#${meant}` : addressText({ path, slug: meant }), 200)}? `}To see them all, ${how.toList(path)}.`,
  };
}
