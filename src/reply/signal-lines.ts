/**
 * Finds the lines of a reply that are signals: at the beginning of a line, outside of blocks. What a sentence, a quote or a
 * sample says of signals is none.
 */
import type { Fence } from "./fences.ts";
import { lineNames, parseSignalLine, type SignalLine } from "./signal.ts";
import type { Source } from "./source.ts";

export interface PlacedLine {
  readonly line: SignalLine;
  readonly from: number;
  /** Behind the line's end. */
  readonly until: number;
}

export function signalLines({ text, fences }: Source): PlacedLine[] {
  const found: PlacedLine[] = [];
  let from = 0;
  for (const fence of [...fences, endOf(text)]) {
    for (let at = from; at < fence.from && found.length < LINES_MAX; ) {
      const newline = text.indexOf("\n", at);
      const end = newline === -1 ? text.length : newline;
      if (initials.has(text.charCodeAt(at))) {
        const line = parseSignalLine(text.slice(at, end).trimEnd());
        if (line !== undefined) found.push({ line, from: at, until: Math.min(end + 1, text.length) });
      }
      at = end + 1;
    }
    from = fence.end;
  }
  return found;
}

/** Checkpoints of a long turn; a text with more is not read to its end. */
const LINES_MAX = 1_000;

/** Of the names there are: most lines are passed by at their first letter. */
const initials = new Set(lineNames.map((name) => name.charCodeAt(0)));

function endOf(text: string): Pick<Fence, "from" | "end"> {
  return { from: text.length, end: text.length };
}
