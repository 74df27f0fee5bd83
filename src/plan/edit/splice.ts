import type { Sliceable } from "../../std/sliceable.ts";

/** Replaces a piece of a text with another; nothing else in the text changes. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Splices must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** The splices that turn the new text back into the old one. */
export function inverseSplices(text: Sliceable, splices: readonly Splice[]): Splice[] {
  let shift = 0;
  return splices
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, text: put }) => {
      const from = start + shift;
      shift += put.length - (end - start);
      return { start: from, end: from + put.length, text: text.slice(start, end) };
    });
}

/** The line end of the first line, so that edits continue in the file's own style. */
export function lineEndOf(text: Sliceable): "\n" | "\r\n" {
  for (let looked = 1000; ; looked *= 2) {
    const beginning = text.slice(0, looked);
    const feed = beginning.indexOf("\n");
    if (feed === -1 && looked < text.length) continue;
    return feed > 0 && beginning[feed - 1] === "\r" ? "\r\n" : "\n";
  }
}

/** A line end, unless the position is already at the beginning of a line. */
export function toNewLine(text: Sliceable, at: number, lineEnd: string): string {
  const before = text.slice(Math.max(0, at - 1), at);
  return at === 0 || before === "\n" || (at === 1 && before === "\ufeff") ? "" : lineEnd;
}
