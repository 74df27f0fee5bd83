/**
 * Reads the lines of one task: its leading fields, its success criteria, and where its free text begins.
 *
 * Only leading fields count, because `Note: …` may appear anywhere in a text. But check-boxes between fields do not end
 * them: Markdown makes one list of both, and a task would silently lose its dependencies.
 */

import type { Criterion, Field } from "../plan.ts";
import { type FieldLine, fieldOn, isRecordField } from "./field.ts";
import { type SourceLine, trimmed } from "./lines.ts";
import { isReserved, type TaskDraft } from "./outline.ts";

export interface TaskLines {
  readonly fields: readonly Field[];
  readonly criteria: readonly Criterion[];
  /** Where the free text begins. */
  readonly textStart: number;
  /** Known fields below the text, where they are not read. */
  readonly late: readonly FieldLine[];
}

export function readTaskLines(
  text: string,
  draft: TaskDraft,
  isMeantAsField: (field: FieldLine, line: SourceLine) => boolean,
): TaskLines {
  const fields: Field[] = [];
  const criteria: { parts: string[]; isDone: boolean }[] = [];
  const late: FieldLine[] = [];
  const base = baseIndent(draft);
  let textStart = draft.body[0]?.start ?? draft.whole.end;
  let isLeading = true;
  /** The level of the enclosing reserved heading; 7 if there is none. */
  let reservedLevel = 7;
  let goesOn: "field" | "criterion" | undefined;
  let before: SourceLine | undefined;

  for (const line of draft.body) {
    const isDirectlyBelow = before?.kind !== "blank";
    before = line;
    const depth = line.indent - base;
    if (line.kind === "blank" || line.kind === "comment") continue;
    if (line.item?.tick !== undefined) {
      goesOn = undefined;
      if (reservedLevel === 7) {
        criteria.push({
          parts: [text.slice(line.item.content, line.end).trim()],
          isDone: isTicked(text, line.item.tick),
        });
        goesOn = "criterion";
      }
      continue;
    }
    if (line.kind === "text" && goesOn === "criterion" && isDirectlyBelow && depth >= 2) {
      criteria.at(-1)?.parts.push(text.slice(line.first, line.end).trim());
      continue;
    }
    const last = fields.at(-1);
    if (
      isLeading &&
      last &&
      goesOn === "field" &&
      depth >= 2 &&
      (line.kind === "item" || (isDirectlyBelow && (line.kind === "text" || isQuoted(line, last))))
    ) {
      const value = { start: last.value.start, end: trimmed(text, line.first, line.end).end };
      fields[fields.length - 1] = { ...last, value, whole: { start: last.whole.start, end: line.next } };
      textStart = line.next;
      continue;
    }
    const field =
      depth < 2 && (line.kind === "item" || line.kind === "text") ? fieldOn(text, line) : undefined;
    if (isLeading && field && isMeantAsField(field, line)) {
      const { key, name, value } = field;
      fields.push({
        key,
        name: text.slice(name.start, name.end),
        value,
        whole: { start: line.start, end: line.next },
      });
      textStart = line.next;
      goesOn = line.kind === "item" ? "field" : undefined;
      continue;
    }
    goesOn = undefined;
    isLeading = false;
    if (line.heading) {
      const { level, title } = line.heading;
      if (isReserved(text.slice(title.start, title.end))) reservedLevel = Math.min(reservedLevel, level);
      else if (level <= reservedLevel) reservedLevel = 7;
    } else if (field?.isKnown && !isRecordField(field.key) && line.kind === "item" && reservedLevel === 7)
      late.push(field);
  }
  return {
    fields,
    criteria: criteria.map(({ parts, isDone }) => ({ text: parts.join(" "), isDone })),
    textStart,
    late,
  };
}

/** A note of several lines is quoted below its key, so that nothing in it is mistaken for a heading, fence or field. */
function isQuoted({ kind }: SourceLine, { key }: Field): boolean {
  return kind === "quote" && key === "note";
}

/** The fields of a bullet are indented like the first line inside it. */
function baseIndent({ form, head, body }: TaskDraft): number {
  if (form === "heading") return 0;
  return body.find((line) => line.kind !== "blank")?.indent ?? head.indent + 2;
}

export function isTicked(text: string, at: number): boolean {
  return text[at] === "x" || text[at] === "X";
}
