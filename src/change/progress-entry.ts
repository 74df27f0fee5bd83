/**
 * One changeset as an entry of `progress.md`, for people: when, who, for what task, each operation with its size, its
 * reason and what was read back, and how many succeeded. A changeset is applied wholly or not at all, so all of its
 * operations share one outcome.
 */
import { counted, grouped } from "../std/counted.ts";
import { escapeMarkdown, markdownLine } from "../std/markdown-line.ts";
import { size } from "../std/size.ts";
import type { DeletePreview } from "./policy/delete-preview.ts";

export interface ProgressEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly specialist: string;
  readonly task: string;
  /** More facts for the entry's head, each with its name. */
  readonly facts?: readonly (readonly [name: string, text: string])[];
  readonly outcome: EntryOutcome;
  /** The operations that are listed. */
  readonly operations: readonly EntryOperation[];
  /** How many there are in total. */
  readonly total: number;
}

export type EntryOutcome =
  | { readonly is: "done" }
  /** The reason, for all operations that have none of their own. */
  | { readonly is: "failed"; readonly why: string }
  /** Who is waited for, and what to type. */
  | { readonly is: "waiting"; readonly why: string };

export interface EntryOperation {
  /** Position among all operations, from 1. */
  readonly number: number;
  readonly operation: "create" | "edit" | "append" | "delete";
  readonly path: string;
  readonly description: string;
  /** Size and hash of the file as it was read back; missing when it is gone. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  /** Where it was read back from. */
  readonly place: "disk" | "desk";
  /** Anything to note about what was read back. */
  readonly remark?: string | undefined;
  readonly failure?: string | undefined;
}

export function progressEntry(entry: ProgressEntry): string {
  const { at, specialist, task, facts = [], outcome, operations, total } = entry;
  const left = total - operations.length;
  const lines = [
    `### [${minute(at)}] ${headings[outcome.is]}`,
    "",
    `**Specialist**: ${markdownLine(specialist)}`,
    `**Task**: ${markdownLine(task)}`,
    ...facts.map(([name, text]) => `**${name}**: ${markdownLine(text)}`),
    "",
    "**Operations**:",
    ...operations.flatMap((operation) => operationLines(operation, outcome)),
    ...(left > 0 ? [`- … ${counted(left, "more operation")}, ${leftWords[outcome.is]}`] : []),
    ...(total === 0 ? noOperations(outcome) : []),
    "",
    `**Summary**: ${summary(outcome, total)}`,
    "",
    "",
  ];
  return lines.join("\n");
}

const headings = {
  done: "File Operations Executed",
  failed: "File Operations Not Executed",
  waiting: "File Operations Waiting",
} as const;

const leftWords = { done: "all successful", failed: "none executed", waiting: "all waiting" } as const;

function noOperations(outcome: EntryOutcome): string[] {
  return [
    outcome.is === "failed" ? `- ❌ none: ${markdownLine(outcome.why)}` : "- none: no file was changed",
  ];
}

function summary({ is }: EntryOutcome, total: number): string {
  const all = grouped(total);
  if (is === "done") return `${all}/${all} operations successful, 0 failed`;
  if (is === "failed") return `0/${all} operations successful, ${all} failed`;
  return `0/${all} operations successful, 0 failed, ${all} waiting`;
}

function operationLines(one: EntryOperation, outcome: EntryOutcome): string[] {
  const { number, operation, path, description, bytes, failure } = one;
  const sizeWords = bytes === undefined ? "" : ` (${size(bytes)})`;
  const mark = outcome.is === "done" ? "✅" : outcome.is === "failed" ? "❌" : "❓";
  const result =
    outcome.is === "done"
      ? `Verified: ${verifiedWords(one)}`
      : outcome.is === "failed"
        ? `Not executed: ${markdownLine(failure ?? outcome.why)}`
        : `Waiting: ${markdownLine(outcome.why)}`;
  return [
    `${number}. ${mark} ${operation} ${markdownLine(path)}${sizeWords}`,
    `   - Description: ${markdownLine(description)}`,
    `   - ${result}`,
  ];
}

function verifiedWords({ bytes, sha256, place, remark }: EntryOperation): string {
  const more = remark === undefined ? "" : `; ${remark}`;
  if (bytes === undefined || sha256 === undefined) return `gone from ${places[place]}${more}`;
  return `read back from ${places[place]}, ${counted(bytes, "byte")}, sha256 ${sha256.slice(0, 12)}…${more}`;
}

const places = { disk: "disk", desk: "the desk" } as const;

export interface DeleteEntry extends DeletePreview {
  readonly at: string;
  readonly specialist: string;
  readonly task: string;
  readonly path: string;
  readonly bytes: number;
  /** Who answers or answered, and how. */
  readonly answer: string;
}

export function deleteEntry({ at, specialist, task, path, bytes, answer, ...content }: DeleteEntry): string {
  const lines = [
    `### [${minute(at)}] ⚠️ DELETE REQUESTED: ${markdownLine(path)} (${size(bytes)})`,
    "",
    `**Specialist**: ${markdownLine(specialist)}`,
    `**Task**: ${markdownLine(task)}`,
    `**Confirm deletion?** ${markdownLine(answer)}`,
    ...previewLines(content),
    "",
    "",
  ];
  return lines.join("\n");
}

/** Indented, because nothing in an indented block is markup, and no line can end it. */
function previewLines({ preview, lines = 0, is_binary }: DeletePreview): string[] {
  if (is_binary) return ["**Content preview**: none, it is binary"];
  if (!preview) return ["**Content preview**: none, it is not shown"];
  if (preview.length === 0) return ["**Content preview**: none, it is empty"];
  const left = lines - preview.length;
  const count = left > 0 ? `first ${preview.length} of ${counted(lines, "line")}` : counted(lines, "line");
  return [`**Content preview** (${count}):`, "", ...preview.map((line) => `    ${line}`)];
}

/** A person's answer to a question. */
export interface AnswerEntry {
  readonly at: string;
  readonly question: string;
  readonly isAllowed: boolean;
  /** Who answered, and why. */
  readonly words: string;
  readonly task: string;
  readonly items: readonly { readonly path: string; readonly isDelete: boolean }[];
  readonly total: number;
}

export function answerEntry({ at, question, isAllowed, words, task, items, total }: AnswerEntry): string {
  const mark = isAllowed ? "✅" : "❌";
  const left = total - items.length;
  const lines = [
    `### [${minute(at)}] ${mark} ${escapeMarkdown(question)} ${isAllowed ? "confirmed" : "denied"}`,
    "",
    `**Task**: ${markdownLine(task)}`,
    `**Answer**: ${markdownLine(words)}`,
    ...items.map(({ path, isDelete }) => {
      const what = isAllowed ? "CONFIRMED" : "DENIED";
      return `- ${mark} ${isDelete ? `DELETE ${what}: ` : ""}${markdownLine(path)}`;
    }),
    ...(left > 0 ? [`- … ${grouped(left)} more`] : []),
    "",
    "",
  ];
  return lines.join("\n");
}

function minute(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
