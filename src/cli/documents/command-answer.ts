/** What `cox task` prints: a document for programs, and text for people. */

import { counted } from "../../std/counted.ts";
import { oneLine, printableLines } from "../../std/printable.ts";
import { completionData, completionMessage } from "../../task/answer/completion-answer.ts";
import {
  assignmentData,
  assignmentText,
  operatedData,
  sameSlug,
  taskText,
  workflowData,
} from "../../task/answer/task-answer.ts";
import type { CompletedCurrent } from "../../task/coordinator/complete-coordinator-task.ts";
import type { OperatedTasks } from "../../task/subagent/subagent-tasks.ts";
import type { TaskAssignment } from "../../task/task-room.ts";
import type { TaskSummary, TaskView } from "../../task/task-view.ts";
import type { CompletedTask } from "../../task/work/complete-task.ts";
import type { Workflow } from "../../task/workflow/workflows.ts";
import type { Style } from "../../view/text/paint.ts";
import { padName, widthOf } from "../../view/text/width.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface CommandAnswer {
  readonly data: object;
  text(terminal: Terminal): string;
}

export function listAnswer(list: OperatedTasks): CommandAnswer {
  return { data: operatedData(list), text: (terminal) => listText(list, terminal) };
}

export function operationsAnswer(list: OperatedTasks): CommandAnswer {
  const { done, path, warnings } = list;
  const lines = [
    ...done.map(
      ({ slug, title }) => `${oneLine(title, 200)} is #${oneLine(slug, 100)} of ${oneLine(path, 200)}`,
    ),
    ...warnings.map(({ message, hint }) => `! ${message}. ${hint}`),
  ];
  return { data: operatedData(list), text: ({ paint }) => `${paint("green", "✓")} ${lines.join("\n")}\n` };
}

export function startAnswer(started: TaskAssignment, main?: Workflow): CommandAnswer {
  return {
    data: { ...assignmentData(started), ...(main && { main_workflow: workflowData(main) }) },
    text: () => printable(assignmentText(started, main)),
  };
}

export function completionAnswer(done: CompletedTask & Partial<CompletedCurrent>): CommandAnswer {
  const { next, waiting, archivedTo } = done;
  const lines = [
    completionMessage(done),
    ...(archivedTo === undefined ? [] : [`The list is done and archived: ${archivedTo}`]),
    ...(waiting ? [`The next task could not be started: ${waiting.message}`, `  ${waiting.hint}`] : []),
    ...(next ? ["", "Next, now in progress:", "", assignmentText(next)] : []),
  ];
  return { data: completionData(done), text: () => printable(lines.join("\n")) };
}

export function noteAnswer(task: TaskView): CommandAnswer {
  return { data: { task }, text: () => printable(taskText(task)) };
}

/** Keeps what an agent wrote from acting on the terminal. */
function printable(text: string): string {
  return `${printableLines(text, { lines: 5000, width: 5000 }).join("\n")}\n`;
}

const marks: Readonly<Record<TaskSummary["status"], readonly [mark: string, ascii: string, style: Style]>> = {
  pending: ["○", "o", "dim"],
  in_progress: ["▶", ">", "cyan"],
  blocked: ["!", "!", "yellow"],
  failed: ["✗", "x", "red"],
  completed: ["✓", "v", "green"],
};

function listText({ path, rows }: OperatedTasks, { paint, ascii }: Terminal): string {
  const { tasks = [], counts = {}, left_off } = rows ?? {};
  if (tasks.length === 0) return `${oneLine(path, 200)} has no tasks. Type: cox task add TITLE\n`;
  const all = Object.entries(counts).map(([state, count]) => `${count} ${state.replace("_", " ")}`);
  const width = Math.min(40, Math.max(...tasks.map(({ slug }) => widthOf(oneLine(slug, 200)))));
  const lines = tasks.map((row) => {
    const [mark, plain, style] = marks[row.status];
    const slug = padName(oneLine(row.slug, 200), width);
    const who = whoWords(row);
    return `  ${paint(style, ascii ? plain : mark)} ${slug}  ${oneLine(row.title, 200)}${who === "" ? "" : paint("dim", `  ${who}`)}`;
  });
  const more = left_off === undefined ? [] : [`  … ${counted(left_off, "more task")}`];
  return `${[`${paint("bold", oneLine(path, 200))}  ${all.join(", ")}`, ...lines, ...more].join("\n")}\n`;
}

function whoWords(row: TaskSummary): string {
  const words = recordWords(row);
  const same = row.same_slug === undefined ? "" : sameSlug(row.same_slug);
  return [words, same].filter((word) => word !== "").join("; ");
}

function recordWords({ status, by, since, completed, verified }: TaskSummary): string {
  const name = by === undefined ? "" : oneLine(by, 80);
  if (status === "in_progress") return since === undefined ? "" : `${name} since ${minute(since)}`.trim();
  if (status !== "completed") return "";
  const when = completed === undefined ? "" : minute(completed);
  return [name, when, verified ? "verified" : "claimed"].filter((word) => word !== "").join(", ");
}

/** `2026-10-14T15:30:45Z` → `2026-10-14 15:30 UTC`. */
function minute(at: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ$/.exec(at) ?? [];
  return day === undefined ? oneLine(at, 40) : `${day} ${time} UTC`;
}
