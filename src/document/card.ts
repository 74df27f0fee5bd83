/** What a list shows about a document, and what the document refers to. */

import { PlanFindings } from "../plan/problem.ts";
import { readFrontMatter } from "../plan/read/front-matter.ts";
import { oneLine } from "../std/printable.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";
import { linksOf } from "./link/links.ts";
import type { DocumentEntry } from "./store.ts";

export interface Card extends DocumentEntry {
  readonly title: string;
  readonly tasks: number;
  readonly openTasks: number;
  readonly refersTo: ReadonlySet<DocumentPath>;
  /** The file is not readable text. */
  readonly isUnreadable: boolean;
}

export function cardOf(entry: DocumentEntry, document: Document | undefined): Card {
  if (!document) {
    return {
      ...entry,
      title: nameOf(entry.path),
      tasks: 0,
      openTasks: 0,
      refersTo: new Set(),
      isUnreadable: true,
    };
  }
  const tasks = mayHaveTasks(document) ? document.tasks.tasks : [];
  const refersTo = new Set(linksOf(document).flatMap(({ path }) => path ?? []));
  return {
    ...entry,
    title: titleOf(document),
    tasks: tasks.length,
    openTasks: tasks.filter(({ isDone }) => !isDone).length,
    refersTo,
    isUnreadable: false,
  };
}

/** The title as plans define it: from the front matter, else the first heading of level 1, else the file name. */
export function titleOf(document: Document): string {
  const { begin, all } = document.sections;
  const { entries } = begin > 1 ? readFrontMatter(document.text, new PlanFindings()) : { entries: [] };
  const said = entries.find(({ key }) => key === "title")?.values[0]?.text;
  const title = said || all.find(({ level }) => level === 1)?.title;
  return oneLine(title || nameOf(document.path), 200);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
}

/** Checking for a tasks heading is cheaper than reading the tasks. */
function mayHaveTasks({ sections }: Document): boolean {
  return sections.all.some(({ title }) => /^\s*tasks\s*:?\s*$/i.test(title));
}
