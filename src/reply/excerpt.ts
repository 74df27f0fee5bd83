/**
 * Somebody else's text, made safe to stand in a message of ours: bounded, on one line, and with every control,
 * invisible or direction-changing character spelled out.
 */
export function excerpt(text: string, lengthMax = 60): string {
  const part = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return part.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, spellOut);
}

/** The surroundings of one place in a text. */
export function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - 20);
  return (from > 0 ? "…" : "") + excerpt(text.slice(from, at + 60), at - from + 20);
}

export interface Place {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export function placeOf(text: string, at: number): Place {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: at - lineStart + 1 };
}

function spellOut(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\r") return "\\r";
  if (char === "\t") return "\\t";
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}
