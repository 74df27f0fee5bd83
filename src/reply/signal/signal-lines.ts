/**
 * Finds the signal lines of a reply: at the beginning of a line, outside blocks. A signal mentioned in a sentence, a
 * quote or a sample does not count.
 */
import type { Fence } from "../find/fences.ts";
import type { Source } from "../find/source.ts";
import { lineNames, parseSignalLine, type SignalLine } from "./signal.ts";

export interface PlacedLine {
  readonly line: SignalLine;
  readonly from: number;
  /** After the end of the line. */
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

/** Enough for the checkpoints of a long turn; a text with more is not read to its end. */
const LINES_MAX = 1_000;

/** First letters of the names: most lines are skipped after one letter. */
const initials = new Set(lineNames.map((name) => name.charCodeAt(0)));

function endOf(text: string): Pick<Fence, "from" | "end"> {
  return { from: text.length, end: text.length };
}
