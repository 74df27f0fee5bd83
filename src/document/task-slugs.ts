/** What happens to the tasks of a document when its headings change: their ids, and who depends on them. */
import type { Task } from "../plan/plan.ts";
import type { Splice } from "../plan/splice.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { Document } from "./document.ts";
import type { SectionDraft } from "./section-draft.ts";

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
