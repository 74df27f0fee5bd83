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

export type IsMeantAsField = (field: FieldLine, line: SourceLine) => boolean;

export function readTaskLines(text: string, draft: TaskDraft, isMeantAsField: IsMeantAsField): TaskLines {
  const reader = new TaskLineReader(text, draft, isMeantAsField);
  for (const line of draft.body) reader.read(line);
  return reader.result();
}

class TaskLineReader {
  readonly #fields: Field[] = [];
  readonly #criteria: { parts: string[]; isDone: boolean }[] = [];
  readonly #late: FieldLine[] = [];
  readonly #base: number;
  #textStart: number;
  #isLeading = true;
  /** The level of the enclosing reserved heading; 7 if there is none. */
  #reservedLevel = 7;
  #goesOn: "field" | "criterion" | undefined;
  #before: SourceLine | undefined;

  constructor(
    private readonly text: string,
    draft: TaskDraft,
    private readonly isMeantAsField: IsMeantAsField,
  ) {
    this.#base = baseIndent(draft);
    this.#textStart = draft.body[0]?.start ?? draft.whole.end;
  }

  read(line: SourceLine): void {
    const isDirectlyBelow = this.#before?.kind !== "blank";
    this.#before = line;
    if (line.kind === "blank" || line.kind === "comment") return;
    const depth = line.indent - this.#base;
    const criterion = isDirectlyBelow && depth >= 2 ? this.#criterionGoingOn(line) : undefined;
    const last = this.#fieldGoingOn(line, depth, isDirectlyBelow);
    if (line.item?.tick !== undefined) this.#tick(line.item.tick, line.item.content, line);
    else if (criterion) criterion.parts.push(this.text.slice(line.first, line.end).trim());
    else if (last) this.#continueField(last, line);
    else this.#begin(line, depth);
  }

  result(): TaskLines {
    return {
      fields: this.#fields,
      criteria: this.#criteria.map(({ parts, isDone }) => ({ text: parts.join(" "), isDone })),
      textStart: this.#textStart,
      late: this.#late,
    };
  }

  #tick(tick: number, content: number, line: SourceLine): void {
    this.#goesOn = undefined;
    if (this.#reservedLevel !== 7) return;
    const parts = [this.text.slice(content, line.end).trim()];
    this.#criteria.push({ parts, isDone: isTicked(this.text, tick) });
    this.#goesOn = "criterion";
  }

  /** The criterion that this line belongs to, if it only continues one. */
  #criterionGoingOn({ kind }: SourceLine) {
    return kind === "text" && this.#goesOn === "criterion" ? this.#criteria.at(-1) : undefined;
  }

  /** The field that this line belongs to, if it only continues one. */
  #fieldGoingOn(line: SourceLine, depth: number, isDirectlyBelow: boolean): Field | undefined {
    const last = this.#fields.at(-1);
    if (!this.#isLeading || !last || this.#goesOn !== "field" || depth < 2) return undefined;
    const continues =
      line.kind === "item" || (isDirectlyBelow && (line.kind === "text" || isQuoted(line, last)));
    return continues ? last : undefined;
  }

  #continueField(last: Field, line: SourceLine): void {
    const value = { start: last.value.start, end: trimmed(this.text, line.first, line.end).end };
    const whole = { start: last.whole.start, end: line.next };
    this.#fields[this.#fields.length - 1] = { ...last, value, whole };
    this.#textStart = line.next;
  }

  #begin(line: SourceLine, depth: number): void {
    const field =
      depth < 2 && (line.kind === "item" || line.kind === "text") ? fieldOn(this.text, line) : undefined;
    if (this.#isLeading && field && this.isMeantAsField(field, line)) this.#beginField(field, line);
    else this.#passText(field, line);
  }

  #beginField({ key, name, value }: FieldLine, line: SourceLine): void {
    const whole = { start: line.start, end: line.next };
    this.#fields.push({ key, name: this.text.slice(name.start, name.end), value, whole });
    this.#textStart = line.next;
    this.#goesOn = line.kind === "item" ? "field" : undefined;
  }

  #passText(field: FieldLine | undefined, line: SourceLine): void {
    this.#goesOn = undefined;
    this.#isLeading = false;
    if (line.heading) {
      const { level, title } = line.heading;
      if (isReserved(this.text.slice(title.start, title.end)))
        this.#reservedLevel = Math.min(this.#reservedLevel, level);
      else if (level <= this.#reservedLevel) this.#reservedLevel = 7;
    } else if (
      field?.isKnown &&
      !isRecordField(field.key) &&
      line.kind === "item" &&
      this.#reservedLevel === 7
    )
      this.#late.push(field);
  }
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
