/** A new task: its text, judged alone, and its place behind the last one, below a `Tasks` heading that is made if need be. */

import type { Document } from "../document/document.ts";
import type { Task } from "../plan/plan.ts";
import { lineEndOf, type Splice, toNewLine } from "../plan/splice.ts";
import type { Problem } from "../std/problem.ts";
import type { HowTo } from "./how-to.ts";
import { plainContent, readDraft, whyNoStatus } from "./task-content.ts";
import type { TaskOperation } from "./task-operation.ts";
import { stateOf, type TaskState } from "./task-record.ts";

export type NewTask =
  | {
      readonly id: string;
      readonly title: string;
      readonly state: TaskState;
      /** Line ends are `\n`. */
      readonly text: string;
      readonly warnings: readonly Problem[];
    }
  | { readonly problems: readonly Problem[] };

export function newTask(
  document: Document,
  { title, content = "", slug, status }: TaskOperation,
  how: HowTo,
): NewTask {
  if (title === undefined || slug !== undefined)
    return { problems: [title === undefined ? noTitle : slugGiven] };
  const level = levelFor(document);
  if (level > 6) return { problems: [tooDeep] };
  const { settings } = document.tasks;
  const plain = plainContent(content);
  const alone = readDraft({ title, body: plain, level, settings });
  if ("problems" in alone) return alone;
  const said = alone.task.fields.some(({ key }) => key === "status");
  const word = status ?? "pending";
  const body = said ? plain : [`- Status: ${word}`, ...joined(plain, alone.task)].join("\n");
  const read = said ? alone : readDraft({ title, body, level, settings });
  if ("problems" in read) return read;
  const { task, warnings } = read;
  const address = { path: document.path, slug: task.id };
  const state = stateOf(task);
  const words = { was: undefined, toStart: how.toStart(address), toComplete: how.toComplete(address) };
  const problem = whyNoStatus(state, words);
  if (problem) return { problems: [problem] };
  // A list of boxes goes on as one, where nothing needs more than a line.
  const isShort = plain === "" && document.tasks.at(document.tasks.size - 1)?.form === "bullet";
  return { id: task.id, title, state, warnings, text: isShort ? `- [ ] ${title}\n` : read.text };
}

/** A field more goes on top of the list that is there, and else has a blank line below it. */
export function joined(content: string, { fields, place }: Task): string[] {
  if (content === "") return [];
  const isList =
    fields[0] !== undefined && /^[ \t]*[-*+] /.test(content) && fields[0].whole.start <= place.below + 1;
  return isList ? [content] : ["", content];
}

/** All in one place: behind the last task, or at the end of the section, or of the document. */
export function createSplice(document: Document, texts: readonly string[]): Splice {
  const { tasks } = document;
  const lineEnd = lineEndOf(document);
  const last = tasks.at(tasks.size - 1);
  const section = tasks.taskSections.at(-1);
  const areShort = texts.every((one) => one.startsWith("- "));
  const at =
    last && (last.form === "heading" || areShort) ? last.place.whole.end : (section?.end ?? document.length);
  const isBlankBefore = at === 0 || /(?:^|\n)[ \t]*\r?\n$/.test(document.slice(Math.max(0, at - 80), at));
  const heading = section ? [] : ["## Tasks", ""];
  const gap = isBlankBefore || (areShort && last) ? [] : [""];
  const blocks = areShort
    ? texts.map((one) => one.trimEnd())
    : texts.flatMap((one) => ["", ...one.trimEnd().split("\n")]).slice(1);
  const tail = at < document.length && !(areShort && last) ? [""] : [];
  const lines = [...gap, ...heading, ...blocks, ...tail];
  const put = `${toNewLine(document, at, lineEnd)}${lines.join(lineEnd)}${lineEnd}`;
  return { start: at, end: at, text: put };
}

function levelFor(document: Document): number {
  const { tasks } = document;
  for (let at = tasks.size - 1; at >= 0; at -= 1) {
    const task = tasks.at(at);
    if (task?.form !== "heading") break;
    const marks = /^ {0,3}(#+)/.exec(document.slice(task.place.whole.start, task.place.title.start))?.[1];
    if (marks) return marks.length;
  }
  return (tasks.taskSections.at(-1)?.level ?? 2) + 1;
}

const noTitle: Problem = {
  code: "TASK_OPERATION",
  message: "the operation has no title",
  hint: "Say in title what is to be done; fields and text go into content.",
  field: "title",
};

const slugGiven: Problem = {
  code: "TASK_OPERATION",
  message: "a new task has no slug yet: it is made from its title",
  hint: "Leave slug out, or pin one in content: - Id: my-slug",
  field: "slug",
};

const tooDeep: Problem = {
  code: "TASK_HEADING",
  message: "the Tasks heading is of level 6, and no heading can stand below it",
  hint: "Give the heading fewer #.",
};
