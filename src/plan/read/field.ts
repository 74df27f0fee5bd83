/**
 * One `Key: value` of a task, in any of its spellings: `- Key: v`, `* Key: v`, `**Key:** v`, `Key: v`. Keys may be in
 * any case, with hyphens, underscores or spaces.
 */
import { hasEffect } from "../../std/no-effect-yet.ts";
import type { Span } from "../plan.ts";

/** The keys that are read, in our spelling. */
export const fieldNames = [
  "Id",
  "Agent",
  "Auditor",
  "Depends-On",
  "Priority",
  "Reads",
  "Writes",
  "Deletes",
  "Produces",
  "Shares",
  "Workflow",
  "Main-Workflow",
  "Verify",
  "Success",
  "Timeout",
  "Attempts",
  "Budget",
  "Failure",
  "Escalate-To",
  "Status",
] as const;

/** The keys that have an effect and are offered. */
export const offeredFieldNames = fieldNames.filter((name) => hasEffect("field", name));

/** What a document of the store records about a task: when, by whom, and their notes. */
const recordKeys: ReadonlySet<string> = new Set(["started", "completed", "note"]);

/** These keys count as fields only in items of the leading list, because a sentence may begin with `Note: …`. */
export function isRecordField(key: string): boolean {
  return recordKeys.has(key);
}

const aliases: ReadonlyMap<string, string> = new Map([
  ["needs", "depends-on"],
  ["blocked-by", "depends-on"],
  ["files", "writes"],
  ["check", "verify"],
]);

const known: ReadonlySet<string> = new Set(fieldNames.map(plainKey));

/** Lower case, with hyphens, aliases resolved. */
function fieldKey(name: string): string {
  const plain = plainKey(name);
  return aliases.get(plain) ?? plain;
}

export function plainKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
}

function isKnownField(key: string): boolean {
  return known.has(key) || key.startsWith("x-");
}

export interface FieldLine {
  readonly key: string;
  readonly name: Span;
  /** The text after the colon on this line, trimmed. */
  readonly value: Span;
  /** One of our keys, or one that begins with `x-`. */
  readonly isKnown: boolean;
}

/** The bold form closes before or after its colon. The pattern is bounded, so that no line is slow. */
const pattern = /(\*\*|__)?([A-Za-z][A-Za-z0-9 _-]{0,39}?)[ \t]*(?::\1|\1[ \t]*:)(?=\s|$)/y;

interface Place {
  readonly first: number;
  readonly end: number;
  readonly item?: { readonly content: number; readonly tick?: number };
}

/** The field on a line, if it looks like one. A check-box is never a field. */
export function fieldOn(text: string, line: Place): FieldLine | undefined {
  if (line.item?.tick !== undefined) return undefined;
  pattern.lastIndex = line.item?.content ?? line.first;
  const match = pattern.exec(text);
  if (!match || pattern.lastIndex > line.end) return undefined;
  const [whole, bold = "", word = ""] = match;
  const start = match.index + bold.length;
  const key = fieldKey(word);
  return {
    key,
    name: { start, end: start + word.length },
    value: valueSpan(text, match.index + whole.length, line.end),
    isKnown: isKnownField(key) || (line.item !== undefined && isRecordField(key)),
  };
}

/** Trimmed, and without a comment after it. */
function valueSpan(text: string, from: number, to: number): Span {
  let start = from;
  while (start < to && isBlank(text[start])) start += 1;
  const value = text.slice(start, to).trimEnd();
  const comment = value.lastIndexOf("<!--");
  const close = value.indexOf("-->", comment);
  const isCommented = comment !== -1 && (close === -1 || close + 3 === value.length);
  let end = isCommented ? start + comment : start + value.length;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return { start, end };
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
