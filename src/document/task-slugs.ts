/** What happens to the tasks of a document when its headings change: their ids, and who depends on them. */
import { idFromTitle } from "../plan/id.ts";
import type { Task } from "../plan/plan.ts";
import type { Splice } from "../plan/splice.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { Document } from "./document.ts";
import type { SectionDraft } from "./section-draft.ts";
import type { SectionOperation } from "./section-operation.ts";

/** Two tasks of one id that were not there before. */
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

/** A new title of a task of which no name can be made: it would be called by its number, which changes. */
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

/** From old ids to new ones, of tasks whose headings are still there. */
export function renamedTasks(document: Document, draft: SectionDraft): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (!hasNewTitles(draft)) return renamed;
  const before = new Map(headed(document).map(({ id, index }) => [index, id]));
  const after = Document.of(document.path, draft.text);
  for (const { id, index } of headed(after)) {
    const head = draft.heads[index];
    const old = head && before.get(head.id);
    // Of two tasks of one id, which are told apart, the one that keeps it is meant by others.
    if (old !== undefined && old !== id && !after.tasks.factsOf(old)) renamed.set(old, id);
  }
  return renamed;
}

/** The tasks that are no longer there, as they were. */
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
): Task[] {
  if (!operations.some(({ operation }) => takesAway.has(operation))) return [];
  const renamed = renamedTasks(document, draft);
  return document.tasks.tasks.filter(({ id }) => !renamed.has(id) && after.tasks.find(id) === undefined);
}

const takesAway: ReadonlySet<string> = new Set(["replace", "replace_text", "remove"]);

/** Makes `Depends-On` follow. */
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

/** Only a new heading, or new words of an old one, can change ids: to read all tasks costs more than to see that. */
function hasNewTitles({ heads, original }: SectionDraft): boolean {
  return heads.some(({ id, title }) => original.all[id]?.title !== title);
}

/** The tasks that are headings, each with which section it is. */
function headed({ tasks, sections }: Document): { readonly id: string; readonly index: number }[] {
  const indexes = new Map(sections.all.map(({ whole }, index) => [whole.start, index]));
  return tasks.tasks.flatMap(({ id, place }) => {
    const index = indexes.get(place.whole.start);
    return index === undefined ? [] : [{ id, index }];
  });
}

function doubles(tasks: readonly Task[]): string[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id }) => {
    if (seen.has(id)) return [id];
    seen.add(id);
    return [];
  });
}
