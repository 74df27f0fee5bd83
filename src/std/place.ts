/** The position of an offset in a text, as an editor shows it. */
export interface TextPlace {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export function placeOf(text: string, at: number): TextPlace {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: at - lineStart + 1 };
}

export function lineAt(text: string, at: number): number {
  return placeOf(text, at).line;
}
