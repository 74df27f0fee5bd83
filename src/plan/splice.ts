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

/** As the first line ends; whoever edits a file goes on as it began. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const feed = text.indexOf("\n");
  return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** A line end, unless the text is at the beginning of a line there. */
export function toNewLine(text: string, at: number, lineEnd: string): string {
  return at === 0 || text[at - 1] === "\n" || (at === 1 && text[0] === "\ufeff") ? "" : lineEnd;
}
