import type { Sliceable } from "../std/sliceable.ts";

/** A piece of a text replaced by another; nothing else of the text moves. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** None may overlap another. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** What makes the old text of the new one. */
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

/** As the first line ends; whoever edits a file goes on as it began. */
export function lineEndOf(text: Sliceable): "\n" | "\r\n" {
  for (let looked = 1000; ; looked *= 2) {
    const beginning = text.slice(0, looked);
    const feed = beginning.indexOf("\n");
    if (feed === -1 && looked < text.length) continue;
    return feed > 0 && beginning[feed - 1] === "\r" ? "\r\n" : "\n";
  }
}

/** A line end, unless the text is at the beginning of a line there. */
export function toNewLine(text: Sliceable, at: number, lineEnd: string): string {
  const before = text.slice(Math.max(0, at - 1), at);
  return at === 0 || before === "\n" || (at === 1 && before === "\ufeff") ? "" : lineEnd;
}
