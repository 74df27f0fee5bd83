/** The text after a field's colon: as one value, as a list with the place of each part, or as lines. */
import type { Sliceable } from "../../std/sliceable.ts";
import type { Named, Span } from "../plan.ts";
import { trimmed } from "./lines.ts";

/** One value, including the lines below that belong to it. */
export function fieldValue(text: Sliceable, { start, end }: Span): string {
  const lines = text.slice(start, end).split("\n");
  return unquoted(
    lines
      .map((line) => line.trim())
      .join(" ")
      .trim(),
  );
}

/** Comma-separated parts, and the items of a list below the key. */
export function fieldParts(text: string, span: Span): Named[] {
  const parts: Named[] = [];
  for (const line of fieldLines(text, span)) {
    // Search only this line: a document without a comma would be searched to its end for every field.
    const words = text.slice(line.start, line.end);
    for (let from = line.start; from <= line.end; ) {
      const comma = words.indexOf(",", from - line.start);
      const to = comma === -1 ? line.end : line.start + comma;
      const part = named(text, from, to);
      if (part.name !== "") parts.push(part);
      from = to + 1;
    }
  }
  return parts;
}

/**
 * Each line is one text, because commands and criteria may contain commas. A line below that is not a list item
 * continues the line before.
 */
export function fieldTexts(text: string, span: Span): string[] {
  const texts: string[] = [];
  for (const { start, end, isItem } of fieldLines(text, span)) {
    const words = text.slice(start, end).trim();
    if (words === "") continue;
    const before = texts.pop();
    if (before === undefined) texts.push(words);
    else if (isItem) texts.push(before, words);
    else texts.push(`${before} ${words}`);
  }
  return texts.map(unquoted);
}

function* fieldLines(text: string, span: Span): Generator<Span & { isItem: boolean }> {
  for (let start = span.start; start <= span.end; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 || feed > span.end ? span.end : feed;
    const marker =
      start === span.start ? null : /^[ \t]*[-*+][ \t]+/.exec(text.slice(start, Math.min(end, start + 200)));
    yield { start: start + (marker?.[0].length ?? 0), end, isItem: marker !== null };
    start = end + 1;
  }
}

function named(text: string, from: number, to: number): Named {
  const at = trimmed(text, from, to);
  const raw = text.slice(at.start, at.end);
  const name = unquoted(raw);
  const cut = name === raw ? 0 : (raw.length - name.length) / 2;
  return { name, at: { start: at.start + cut, end: at.end - cut } };
}

/** In Markdown, people put a path or a command into a code span; it is removed if it surrounds the whole value. */
function unquoted(value: string): string {
  const inner = value.slice(1, -1);
  return value.length > 2 && value.startsWith("`") && value.endsWith("`") && !inner.includes("`")
    ? inner
    : value;
}
