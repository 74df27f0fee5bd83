/** Where a new field of a task goes, and what it looks like there: below the last one, in its style. */
import type { Sliceable } from "../std/sliceable.ts";
import type { Field, Task } from "./plan.ts";
import { type Splice, toNewLine } from "./splice.ts";

export interface NewField {
  readonly key: string;
  readonly value: string;
}

export function fieldSplice(text: Sliceable, task: Task, { key, value }: NewField, lineEnd: string): Splice {
  const last = task.fields.at(-1);
  if (last) {
    const at = last.whole.end;
    const line = likeField(text, last, key, value);
    return { start: at, end: at, text: `${toNewLine(text, at, lineEnd)}${line}${lineEnd}` };
  }
  const at = task.place.below;
  const { indent } = task.place;
  const line = `${toNewLine(text, at, lineEnd)}${indent}- ${key}: ${value}${lineEnd}`;
  if (task.form === "bullet") return { start: at, end: at, text: line };
  // A heading is followed by a blank line, if its author thought so, and so is a list.
  const follows = text.slice(at, task.place.whole.end);
  const isTight = follows !== "" && !/^[ \t]*\r?(?:\n|$)/.test(follows);
  const before = isTight || follows === "" ? "" : lineEnd;
  return { start: at, end: at, text: `${before}${line}${isTight ? lineEnd : ""}` };
}

/** The marker and the letters of the field before it. */
function likeField(text: Sliceable, { whole, name }: Field, key: string, value: string): string {
  const line = text.slice(whole.start, whole.end);
  const at = line.indexOf(name);
  const opening = line.slice(0, at);
  const isBold = opening.endsWith("**");
  const spelled = name === name.toLowerCase() ? key.toLowerCase() : key;
  return isBold ? `${opening}${spelled}:** ${value}` : `${opening.replace(/__$/, "")}${spelled}: ${value}`;
}

export function removal({ whole }: Field): Splice {
  return { ...whole, text: "" };
}
