/**
 * Inserts a block of Markdown between others, with the blank lines it needs around it.
 *
 * Existing text is not changed. Line ends follow the document; a list or table that continues is not split.
 */

import { lineEndOf, type Splice, toNewLine } from "../../plan/edit/splice.ts";
import type { Span } from "../../plan/plan.ts";
import { trimmed } from "../../plan/read/lines.ts";

/** The content without blank lines at its ends, and with the document's line ends. */
export function blockFor(document: string, content: string): string {
  const lines = content.replace(/\r\n/g, "\n");
  const span = filledLines(lines, { start: 0, end: lines.length });
  const block = span ? lines.slice(span.start, span.end).trimEnd() : "";
  return lineEndOf(document) === "\n" ? block : block.replaceAll("\n", "\r\n");
}

/** From the first non-blank line to the end of the last one, before its line end. */
export function filledLines(text: string, span: Span): Span | undefined {
  const words = trimmed(text, span.start, span.end);
  if (words.start === words.end) return undefined;
  const feed = text.indexOf("\n", words.end);
  const stop = feed === -1 || feed > span.end ? span.end : feed;
  return {
    start: Math.max(span.start, text.lastIndexOf("\n", words.start) + 1),
    end: stop > words.end && text[stop - 1] === "\r" ? stop - 1 : stop,
  };
}

/** `at` is the start of a line or the end of the text; `begin` is where the document's own text starts. */
export function insertBlock(
  text: string,
  { at, begin, block }: { readonly at: number; readonly begin: number; readonly block: string },
): Splice {
  const lineEnd = lineEndOf(text);
  const before = at <= begin ? "" : lineBefore(text, at);
  const after = at >= text.length ? "" : lineAt(text, at);
  const [first = "", last = ""] = [lineAt(block, 0), lineBefore(block, block.length)];
  const gap = before.trim() === "" || goesOn(before, first) ? "" : lineEnd;
  const tail = after.trim() === "" || goesOn(last, after) ? "" : lineEnd;
  return { start: at, end: at, text: `${toNewLine(text, at, lineEnd)}${gap}${block}${lineEnd}${tail}` };
}

function lineBefore(text: string, at: number): string {
  const end = at > 0 && text[at - 1] === "\n" ? at - 1 : at;
  return text.slice(end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1, end);
}

function lineAt(text: string, at: number): string {
  const feed = text.indexOf("\n", at);
  return text.slice(at, feed === -1 ? text.length : feed);
}

/** An item after an item, a row after a row: a blank line would separate them. */
function goesOn(before: string, after: string): boolean {
  return [/^ {0,3}([-*+])[ \t]/, /^ {0,3}(\d)\d{0,8}[.)][ \t]/, /^ {0,3}(\|)/].some((mark) => {
    const one = mark.exec(before);
    const other = mark.exec(after);
    return one !== null && other !== null && (one[1] === other[1] || /\d/.test(one[1] ?? ""));
  });
}
