/**
 * Notes on a task: what somebody had to say when they completed it, or on the way.
 *
 * A note can be any text. A plain line goes after its key; anything else becomes a quotation below it, where nothing
 * can be mistaken for a heading, a field, a fence or the end of the task. Either way it reads back exactly, except for
 * line ends.
 */
import type { Field } from "../../plan/plan.ts";
import { grouped } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import type { Sliceable } from "../../std/sliceable.ts";
import { control, firstLoneSurrogate } from "../../std/unicode.ts";

/** `opening` is what comes before the key: `- `. */
export function noteLines(note: string, opening: string): string[] {
  const lines = plainNote(note).split("\n");
  const [only = ""] = lines;
  if (lines.length === 1 && isPlain(only)) return [`${opening}Note: ${only}`];
  const indent = " ".repeat(opening.length);
  return [`${opening}Note:`, ...lines.map((line) => `${indent}>${line === "" ? "" : ` ${line}`}`)];
}

/** Normalizes line ends to `\n`. */
export function plainNote(note: string): string {
  return note.replace(/\r\n?/g, "\n");
}

/** In document order. */
export function readNotes(text: Sliceable, fields: readonly Field[]): string[] {
  return fields.filter(({ key }) => key === "note").map((field) => readNote(text, field));
}

const lengthMax = 65_536;

export function whyNoNote(note: string): Problem | undefined {
  const hint = "Say in a sentence or more what was done, decided and found.";
  if (note.trim() === "") return { code: "NOTE_EMPTY", message: "the note is empty", hint };
  if (note.length > lengthMax) {
    const message = `the note has ${grouped(note.length)} characters; the limit is ${grouped(lengthMax)}`;
    return { code: "NOTE_TOO_LONG", message, hint: "Put the long part into a document, and refer to it." };
  }
  if (note.includes("\0") || firstLoneSurrogate(note) !== -1) {
    const message = "the note holds characters that no text file can hold (NUL, or half a surrogate pair)";
    return { code: "NOTE_NOT_TEXT", message, hint: "Leave them out." };
  }
  return undefined;
}

function isPlain(line: string): boolean {
  const isQuoted = line.startsWith("`") && line.endsWith("`");
  return line !== "" && line === line.trim() && !line.includes("<!--") && !control.test(line) && !isQuoted;
}

function readNote(text: Sliceable, { value, whole }: Field): string {
  const lines = text.slice(value.start, whole.end).split(/\r?\n/);
  if ((lines[0] ?? "").trim() !== "") return plainNote(text.slice(value.start, value.end));
  const below = lines.slice(1, lines.at(-1) === "" ? -1 : undefined);
  return below.map((line) => line.replace(/^[ \t]*(?:> ?)?/, "")).join("\n");
}
