/** What happens to tasks when headings change: their ids, and the dependencies on them. */

import type { Splice } from "../plan/edit/splice.ts";
import { idFromTitle } from "../plan/id.ts";
import type { PlanTask } from "../plan/plan.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { Document } from "./document.ts";
import type { SectionDraft } from "./section/section-draft.ts";
import type { SectionOperation } from "./section/section-operation.ts";

/** Rejects an edit that would create two tasks with the same id. */
export function doubledTask(document: Document, draft: SectionDraft): Problem | undefined {
  if (!hasNewTitles(draft)) return undefined;
  const known = new Set(doubles(document.tasks.tasks));
  const doubled = doubles(Document.of(document.path, draft.text).tasks.tasks).find((id) => !known.has(id));
  if (doubled === undefined) return undefined;
  return {
    code: "TASK_DUPLICATE",
    message: `two tasks would be called ${quote(doubled, 60)}`,
    hint: "Choose another title, or pin an id below it: - Id: another-name",
  };
}

/** Rejects a new task title that gives no id: the task would be named by its number, which changes. */
export function namelessTask(document: Document, draft: SectionDraft): Problem | undefined {
  const bare = draft.heads.flatMap(({ id, title }, at) => {
    const isNew = draft.original.all[id]?.title !== title;
    return isNew && idFromTitle(title) === "" ? (draft.sections.all[at]?.whole.start ?? []) : [];
  });
  if (bare.length === 0) return undefined;
  const { tasks } = Document.of(document.path, draft.text).tasks;
  const nameless = tasks.find(
    ({ place, fields }) => bare.includes(place.whole.start) && !fields.some(({ key }) => key === "id"),
  );
  return nameless && noName(nameless.title);
}

function noName(title: string): Problem {
  return {
    code: "SECTION_TITLE",
    message: `no name for a task can be made of the title ${quote(title, 60)}`,
    hint: "Give a title with letters or digits, or pin an id below it: - Id: my-name",
    field: "title",
  };
}

/** Old ids to new ones, for tasks whose headings still exist. */
export function renamedTasks(document: Document, draft: SectionDraft): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (!hasNewTitles(draft)) return renamed;
  const before = new Map(headed(document).map(({ id, index }) => [index, id]));
  const after = Document.of(document.path, draft.text);
  for (const { id, index } of headed(after)) {
    const head = draft.heads[index];
    const old = head && before.get(head.id);
    // If two tasks shared an id and are now distinct, others mean the one that keeps it.
    if (old !== undefined && old !== id && !after.tasks.factsOf(old)) renamed.set(old, id);
  }
  return renamed;
}

/** The tasks that no longer exist, as they were. */
export function goneTasks(
  document: Document,
  {
    after,
    change: { operations },
    draft,
  }: {
    readonly after: Document;
    readonly change: { readonly operations: readonly SectionOperation[] };
    readonly draft: SectionDraft;
  },
): PlanTask[] {
  if (!operations.some(({ operation }) => takesAway.has(operation))) return [];
  const renamed = renamedTasks(document, draft);
  return document.tasks.tasks.filter(({ id }) => !renamed.has(id) && after.tasks.find(id) === undefined);
}

const takesAway: ReadonlySet<string> = new Set(["replace", "replace_text", "remove"]);

/** Updates `Depends-On`. */
export function taskSplices(document: Document, renamed: ReadonlyMap<string, string>): Splice[] {
  if (renamed.size === 0) return [];
  return document.tasks.tasks.flatMap(({ dependsOn }) =>
    dependsOn.flatMap(({ name, at }): Splice[] => {
      const now = renamed.get(name);
      if (now === undefined) return [];
      const inside = document.slice(at.start, at.end).lastIndexOf(name);
      if (inside === -1) return [{ ...at, text: `#${now}` }];
      const start = at.start + inside;
      return [{ start, end: start + name.length, text: now }];
    }),
  );
}

/** Only a new heading or a new title can change ids; checking that is cheaper than reading all tasks. */
function hasNewTitles({ heads, original }: SectionDraft): boolean {
  return heads.some(({ id, title }) => original.all[id]?.title !== title);
}

/** The tasks that are headings, each with its section index. */
function headed({ tasks, sections }: Document): { readonly id: string; readonly index: number }[] {
  const indexes = new Map(sections.all.map(({ whole }, index) => [whole.start, index]));
  return tasks.tasks.flatMap(({ id, place }) => {
    const index = indexes.get(place.whole.start);
    return index === undefined ? [] : [{ id, index }];
  });
}

function doubles(tasks: readonly PlanTask[]): string[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id }) => {
    if (seen.has(id)) return [id];
    seen.add(id);
    return [];
  });
}
