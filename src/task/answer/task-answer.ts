/** Tasks, workflows and references as tools return them: as data with fixed keys, and as Markdown for the model. */

import { activeList } from "../../document/address.ts";
import type { LoadedReferences } from "../../document/link/load-references.ts";
import { counted } from "../../std/counted.ts";
import type { OperatedList } from "../coordinator/coordinator-tasks.ts";
import type { TaskAssignment } from "../task-room.ts";
import type { TaskRows, TaskSummary, TaskView } from "../task-view.ts";
import type { Workflow } from "../workflow/workflows.ts";

/** `task`, `workflow` and `references` of an assignment. */
export function assignmentData({ task, workflow, references, isResumed }: TaskAssignment) {
  return {
    task,
    ...(isResumed && { resumed: true }),
    ...(workflow && { workflow: workflowData(workflow) }),
    references: referencesData(references),
  };
}

export function assignmentText(
  { task, workflow, references, isResumed }: TaskAssignment,
  main?: Workflow,
): string {
  return [
    taskText(task),
    ...(isResumed ? [resumedText(task)] : []),
    ...(main ? [`# Main-Workflow: ${main.name}`, main.text.trim()] : []),
    ...(workflow ? [`# Workflow: ${workflow.name}`, workflow.text.trim()] : []),
    ...referencesText(references),
  ].join("\n\n");
}

/** This is no news to a session that resumes, but it is to one running beside another that already has the task. */
function resumedText({ since, by }: TaskView): string {
  const who = `${since === undefined ? "" : ` since ${since}`}${by === undefined ? "" : ` by ${by}`}`;
  return `In progress${who}; resumed. After a compaction or in a new session it is yours; another session that is working on it right now keeps it.`;
}

export function workflowData({ name, text }: Workflow) {
  return { name, text };
}

export function taskText({
  title,
  document,
  status,
  by,
  since,
  content,
  notes = [],
  verified,
}: TaskView): string {
  const held = by === undefined ? "" : ` by ${by}${since === undefined ? "" : ` since ${since}`}`;
  const claim =
    status === "completed" ? (verified ? " (verified)" : " (a claim: no command checked it)") : "";
  const heading = `# Task: ${title}\n${document}, ${status}${held}${claim}`;
  // Notes are part of the content too, as they were written.
  return [heading, content, ...(notes.length > 0 && content === "" ? notes : [])]
    .filter(Boolean)
    .join("\n\n");
}

/** Loaded references with their text; for the others, what happened to them. */
function referencesData({ loaded, missing, cycles, leftOut }: LoadedReferences) {
  return [
    ...loaded.map(({ document, title, text, isCut, next }) => ({
      document,
      title,
      text,
      ...(isCut && { is_cut: true, ...(next !== undefined && { next }) }),
    })),
    ...missing.map(({ reference, why, nearest }) => ({ document: reference, missing: why, nearest })),
    ...cycles.map((cycle) => ({ document: cycle, cycle: true })),
    ...leftOut.map((document) => ({ document, left_out: true })),
  ];
}

function referencesText({ loaded, missing, cycles, leftOut }: LoadedReferences): string[] {
  return [
    ...loaded.map(
      ({ document, text, isCut, next }) =>
        `# ${document}${isCut ? " (its beginning)" : ""}\n\n${text}${isCut ? `\n\n${howToReadOn(document, next)}` : ""}`,
    ),
    ...missing.map(({ reference, why, nearest }) => {
      const meant = nearest.length > 0 ? `; perhaps ${nearest.join(" or ")} was meant` : "";
      return `Missing: ${reference} (${why})${meant}`;
    }),
    ...cycles.map((cycle) => `Cut, because it refers back: ${cycle}`),
    ...(leftOut.length > 0 ? [`Not included here, read with view_document: ${leftOut.join(", ")}`] : []),
  ];
}

function howToReadOn(document: string, next: number | undefined): string {
  return `(continues: view_document ${document}${next === undefined ? "" : `, from ${next}`})`;
}

export function operatedData(list: OperatedList) {
  const { path, done, warnings, rows, cleared, archivedTo } = list;
  return {
    document: path,
    results: [...done],
    ...(rows && { ...rows, tasks: [...rows.tasks] }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(cleared !== undefined && { cleared }),
    ...(archivedTo !== undefined && { archived: true, archived_to: archivedTo }),
    message: operatedMessage(list),
  };
}

function operatedMessage({ path, done, cleared, archivedTo }: OperatedList): string {
  const created = done.filter(({ operation }) => operation === "create").length;
  const noted = done.filter(({ operation }) => operation === "note").length;
  const edited = done.length - created - noted;
  const parts = [
    ...(created > 0 ? [`created ${counted(created, "task")}`] : []),
    ...(edited > 0 ? [`edited ${counted(edited, "task")}`] : []),
    ...(noted > 0 ? [`noted on ${counted(noted, "task")}`] : []),
    ...(cleared === undefined ? [] : [`cleared ${counted(cleared, "completed task")}`]),
  ];
  const where = archivedTo === undefined ? "" : `, archived to ${archivedTo}`;
  return parts.length === 0 ? `The tasks of ${path}.` : `${path}: ${parts.join(", ")}${where}.`;
}

export function operatedText(list: OperatedList): string {
  const { done, rows, warnings } = list;
  return [
    operatedMessage(list),
    ...done.map(({ operation, slug, status }) => `${operation}: #${slug} (${status})`),
    ...(rows ? rowLines(rows) : []),
    ...(rows?.tasks.length === 0 ? [emptyText(list)] : []),
    ...warnings.map(({ message, hint }) => `Warning: ${message}. ${hint}`),
  ].join("\n");
}

function emptyText({ path }: OperatedList): string {
  return path === activeList
    ? "The list is empty. To begin one, call coordinator_task with operation create; the first task needs the field Main-Workflow; without it the answer lists the available ones."
    : `${path} has no tasks. Call subagent_task with operation create.`;
}

const marks = {
  pending: "[ ]",
  in_progress: "[>]",
  blocked: "[!]",
  failed: "[!]",
  completed: "[x]",
} as const;

function rowLines({ tasks, left_off }: TaskRows): string[] {
  const lines = tasks.map((row) => {
    const about = rowWords(row);
    return `${marks[row.status]} #${row.slug} ${row.title}${about === "" ? "" : ` (${about})`}`;
  });
  return left_off === undefined ? lines : [...lines, `… and ${left_off} more`];
}

function rowWords({ status, by, verified, same_slug }: TaskSummary): string {
  const claim = status === "completed" ? (verified ? ["verified"] : ["claimed"]) : [];
  const same = same_slug === undefined ? [] : [sameSlug(same_slug)];
  return [...(by === undefined ? [] : [by]), ...claim, ...same].join(", ");
}

export function sameSlug(count: number): string {
  return `one of ${count} tasks of this slug`;
}
