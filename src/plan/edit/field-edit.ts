/** Where a new field of a task goes and what it looks like: below the last one, in its style. */
import type { Sliceable } from "../../std/sliceable.ts";
import type { Field, PlanTask } from "../plan.ts";
import { type Splice, toNewLine } from "./splice.ts";

export interface NewField {
  readonly key: string;
  readonly value: string;
}

export function fieldSplice(
  text: Sliceable,
  task: PlanTask,
  { key, value }: NewField,
  lineEnd: string,
): Splice {
  const last = task.fields.at(-1);
  if (last) {
    const at = last.whole.end;
    const line = likeField(text, last, key, value);
    return { start: at, end: at, text: `${toNewLine(text, at, lineEnd)}${line}${lineEnd}` };
  }
  return firstFields(text, task, `${task.place.indent}- ${key}: ${value}${lineEnd}`, lineEnd);
}

/** The lines of the first fields of a task that has none. */
export function firstFields(text: Sliceable, task: PlanTask, lines: string, lineEnd: string): Splice {
  const at = task.place.below;
  const opened = `${toNewLine(text, at, lineEnd)}${lines}`;
  if (task.form === "bullet") return { start: at, end: at, text: opened };
  // If a blank line follows the heading, keep one before the list; if text follows directly, put one after the list.
  const follows = text.slice(at, task.place.whole.end);
  const isTight = follows !== "" && !/^[ \t]*\r?(?:\n|$)/.test(follows);
  const before = isTight || follows === "" ? "" : lineEnd;
  return { start: at, end: at, text: `${before}${opened}${isTight ? lineEnd : ""}` };
}

/** Uses the marker and the letter case of the previous field. */
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
