/**
 * Builds the text of one task from what a caller gave, and judges it on its own before it goes into a document. It must
 * be exactly one task from its first character to its last, so that it cannot break the document's structure.
 */

import type { PlanTask, Settings } from "../../plan/plan.ts";
import { scanLines } from "../../plan/read/lines.ts";
import { isReserved } from "../../plan/read/outline.ts";
import { readPiece } from "../../plan/read/read-tasks.ts";
import { grouped } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { firstLoneSurrogate } from "../../std/unicode.ts";
import { type TaskState, taskStates } from "../record/task-record.ts";

export interface Draft {
  readonly title: string;
  /** Everything below the title; line ends are `\n`. */
  readonly body: string;
  /** The level of its heading. */
  readonly level: number;
  readonly settings: Settings;
}

export type ReadDraft =
  | { readonly task: PlanTask; readonly text: string; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

export function readDraft({ title, body, level, settings }: Draft): ReadDraft {
  const problem = whyNoTitle(title) ?? whyNoText(body);
  if (problem) return { problems: [problem] };
  const text = `${"#".repeat(level)} ${title}\n${body === "" ? "" : `\n${body}\n`}`;
  const read = readPiece({ text, form: "heading", level, settings, number: 1 });
  const [task, second] = read?.tasks ?? [];
  if (!read || !task || second) return { problems: [whyNoTask(text, { title, level })] };
  if (task.title !== title) return { problems: [titleReadsAs(title, task.title)] };
  const problems = read.findings.map(({ code, severity, message, hint }) => ({
    problem: { code, message, hint },
    isBlocking: severity === "blocking" || code === "PLAN_BAD_STATUS",
  }));
  const blocking = problems.filter(({ isBlocking }) => isBlocking).map((one) => statusWords(one.problem));
  if (blocking.length > 0) return { problems: blocking };
  return { task, text, warnings: problems.map((one) => one.problem) };
}

/** Normalizes content to go below a title: without blank lines around it. */
export function plainContent(content: string): string {
  return content
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

const titleMax = 200;
const contentMax = 262_144;

function whyNoTitle(title: string): Problem | undefined {
  const hint = "Give the task a title of one line, at most 200 characters; the rest belongs in its content.";
  const refused = (why: string): Problem => ({
    code: "TASK_BAD_TITLE",
    message: `the title ${quote(title, 60)} ${why}`,
    hint,
  });
  if (title.trim() === "") return refused("is empty");
  if (/[\r\n]/.test(title)) return refused("has more than one line");
  if (title.length > titleMax) return refused(`has ${grouped(title.length)} characters`);
  if (title !== title.trim()) return refused("has blanks at its ends");
  if (isReserved(title)) {
    const message = `${quote(title, 60)} names a section that never is a task`;
    return { code: "TASK_BAD_TITLE", message, hint: "Say in the title what is to be done." };
  }
  return undefined;
}

function whyNoText(body: string): Problem | undefined {
  if (body.length > contentMax) {
    const message = `the content has ${grouped(body.length)} characters; the limit is ${grouped(contentMax)}`;
    const hint = "Put the long part into a document and refer to it: @/path.md";
    return { code: "TASK_TOO_LONG", message, hint };
  }
  if (!body.includes("\0") && firstLoneSurrogate(body) === -1) return undefined;
  const message = "the content holds characters that no text file can hold (NUL, or half a surrogate pair)";
  return { code: "TASK_NOT_TEXT", message, hint: "Leave them out." };
}

function whyNoTask(
  text: string,
  { title, level }: { readonly title: string; readonly level: number },
): Problem {
  const { lines, unclosed } = scanLines(text);
  if (unclosed) {
    const mark = quote(text.slice(unclosed.start, unclosed.end), 20);
    const message = `${mark} in the content of ${quote(title, 60)} is never closed, and would hide all that follows`;
    return { code: "TASK_UNCLOSED", message, hint: "Close it where it should end." };
  }
  const heading = lines.slice(1).find((line) => line.heading && line.heading.level <= level)?.heading;
  const words = heading ? oneLine(text.slice(heading.title.start, heading.title.end), 60) : "";
  const message = heading
    ? `the heading "${words}" in the content of ${quote(title, 60)} is of level ${heading.level} and would end the task`
    : `the content of ${quote(title, 60)} would not stay inside its task`;
  const deeper = `${"#".repeat(Math.min(6, level + 1))} ${words}`;
  const hint = level < 6 ? `Write it deeper than the task's own: ${deeper}` : "Write it as bold text.";
  return { code: "TASK_HEADING", message, hint };
}

function titleReadsAs(title: string, read: string): Problem {
  const message = `the title ${quote(title, 60)} would read as ${quote(read, 60)}`;
  return { code: "TASK_BAD_TITLE", message, hint: "Leave out control characters, and # at its end." };
}

/** The hint of the plan parser is about runs, so replace it. */
function statusWords(problem: Problem): Problem {
  if (problem.code !== "PLAN_BAD_STATUS") return problem;
  return { ...problem, hint: `Write one of: ${taskStates.join(", ")}` };
}

/** Undefined if a caller may write this status. Starting and completing are separate actions. */
export function whyNoStatus(
  status: TaskState,
  {
    was,
    toStart,
    toComplete,
  }: { readonly was: TaskState | undefined; readonly toStart: string; readonly toComplete: string },
): Problem | undefined {
  if (status === was || (status !== "in_progress" && status !== "completed")) return undefined;
  return {
    code: "TASK_STATUS",
    message: `the status ${status} is not written by hand: it is recorded with who and when`,
    hint: status === "completed" ? `To complete it, ${toComplete}` : `To start it, ${toStart}`,
  };
}
