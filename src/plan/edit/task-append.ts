/** Where a new task goes: after the last one, in its form. A document without tasks gets a `Tasks` heading. */

import type { Plan, PlanTask } from "../plan.ts";
import type { NewField } from "./field-edit.ts";
import { lineEndOf, type Splice, toNewLine } from "./splice.ts";

export function appendSplice(text: string, plan: Plan, title: string, fields: readonly NewField[]): Splice {
  const lineEnd = lineEndOf(text);
  const last = plan.tasks.at(-1);
  const section = plan.taskSections.at(-1);
  const at = last?.place.whole.end ?? section?.below ?? text.length;
  const lines =
    last?.form === "heading"
      ? headingLines(text, last, title, fields)
      : bulletLines(text, last, title, fields);
  const heading = last || section ? [] : [...(text.trim() === "" ? [] : [""]), "## Tasks", ""];
  const isBlankBefore = text.slice(0, at).endsWith(`\n${lineEnd}`) || at === 0;
  const gap = last?.form === "heading" && !isBlankBefore ? [""] : [];
  // What follows must not become part of the task.
  const tail = at < text.length && (last?.form === "heading" || !last) ? [""] : [];
  const all = [...gap, ...heading, ...lines, ...tail];
  return { start: at, end: at, text: `${toNewLine(text, at, lineEnd)}${all.join(lineEnd)}${lineEnd}` };
}

function headingLines(text: string, last: PlanTask, title: string, fields: readonly NewField[]): string[] {
  const marks = /^ {0,3}(#+)/.exec(text.slice(last.place.whole.start, last.place.title.start))?.[1] ?? "##";
  const listed = fields.map(({ key, value }) => `- ${key}: ${value}`);
  return [`${marks} ${title}`, ...(listed.length > 0 ? ["", ...listed] : [])];
}

function bulletLines(
  text: string,
  last: PlanTask | undefined,
  title: string,
  fields: readonly NewField[],
): string[] {
  const opening = last ? text.slice(last.place.whole.start, last.place.tick) : "- [";
  const [, indent = "", mark = "-"] = /^([ \t]*)([-*+])?/.exec(opening) ?? [];
  return [
    `${indent}${mark} [ ] ${title}`,
    ...fields.map(({ key, value }) => `${indent}  - ${key}: ${value}`),
  ];
}
