/**
 * A new task: its text, judged on its own, and its position after the last task, below a `Tasks` heading that is
 * created if necessary.
 */

import type { Document } from "../../document/document.ts";
import { lineEndOf, type Splice, toNewLine } from "../../plan/edit/splice.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { readPiece } from "../../plan/read/read-tasks.ts";
import type { Problem } from "../../std/problem.ts";
import type { HowTo } from "../how-to.ts";
import { stateOf, type TaskState } from "../record/task-record.ts";
import { plainContent, readDraft, whyNoStatus } from "./task-content.ts";
import type { TaskOperation } from "./task-operation.ts";

export type NewTask =
  | {
      readonly id: string;
      readonly title: string;
      readonly state: TaskState;
      /** With `\n` as line end. */
      readonly text: string;
      /** The same as a checkbox item, if it reads the same in that form. */
      readonly box?: string;
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
  const below = said || word === "pending" ? joined(plain, alone.task).join("\n") : body;
  const box = asBox(document, task, below);
  return { id: task.id, title, state, warnings, text: read.text, ...(box !== undefined && { box }) };
}

/** Continues a list of checkboxes in that form; further content goes below the title, indented. */
function asBox({ tasks }: Document, task: PlanTask, body: string): string | undefined {
  const last = tasks.size - 1;
  if (tasks.at(last)?.form !== "bullet") return undefined;
  const lines = body === "" ? [] : body.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  const text = `${[`- [ ] ${task.title}`, ...lines].join("\n")}\n`;
  const { settings } = tasks;
  const read = readPiece({ text, form: "bullet", level: tasks.levelOf(last), settings, number: 1 });
  const [box, second] = read?.tasks ?? [];
  return box && !second && saysSame(box, task) ? text : undefined;
}

function saysSame(box: PlanTask, task: PlanTask): boolean {
  const said = ({
    id,
    title,
    verify,
    dependsOn,
    workflow,
    mainWorkflow,
    success,
    text,
    ...rest
  }: PlanTask) => {
    const fields = rest.fields.map(({ key }) => key).filter((key) => key !== "status");
    const words = text.replace(/^ {2}/gm, "");
    const names = dependsOn.map(({ name }) => name);
    return [id, title, stateOf(rest), verify, names, workflow, mainWorkflow, success, fields, words];
  };
  return JSON.stringify(said(box)) === JSON.stringify(said(task));
}

/** An added field goes on top of an existing list of fields; otherwise a blank line follows it. */
export function joined(content: string, { fields, place }: PlanTask): string[] {
  if (content === "") return [];
  const isList =
    fields[0] !== undefined && /^[ \t]*[-*+] /.test(content) && fields[0].whole.start <= place.below + 1;
  return isList ? [content] : ["", content];
}

/** Puts all of them in one place: after the last task, or at the end of the section or the document. */
export function createSplice(
  document: Document,
  created: readonly { readonly text: string; readonly box?: string }[],
): Splice {
  const { tasks } = document;
  const lineEnd = lineEndOf(document);
  const last = tasks.at(tasks.size - 1);
  const section = tasks.taskSections.at(-1);
  // A checkbox below a heading would become part of it.
  const areShort = created.every(({ box }) => box !== undefined);
  const texts = created.map(({ text, box }) => (areShort ? (box ?? text) : text));
  const at =
    last && (last.form === "heading" || areShort) ? last.place.whole.end : (section?.end ?? document.length);
  const isBlankBefore = at === 0 || /(?:^|\n)[ \t]*\r?\n$/.test(document.slice(Math.max(0, at - 80), at));
  const heading = section ? [] : ["## Tasks", ""];
  const gap = isBlankBefore || (areShort && last) ? [] : [""];
  const blocks = areShort
    ? texts.flatMap((one) => one.trimEnd().split("\n"))
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
  message: "the Tasks heading is of level 6, and no heading can be below it",
  hint: "Give the heading fewer #.",
};
