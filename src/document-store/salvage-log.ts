/** What can still be read in the bytes of a damaged log, and where something is missing between. */
import { decodeLogLine, type LogLine } from "../durable/log-line.ts";
import type { LogRecord } from "../durable/scan.ts";

export interface Salvage {
  /** Whole in themselves, each once, in the order of the file. */
  readonly records: readonly LogRecord[];
  readonly gaps: readonly Gap[];
}

export interface Gap {
  /** How many of the records stand before it. */
  readonly behind: number;
  /** Of the file, that cannot be read. */
  readonly lines: number;
  readonly bytes: number;
}

/** `log` is the id of the log, where it is known: lines of another one are not taken for its own. */
export function salvage(bytes: Uint8Array, log: string | undefined): Salvage {
  const records: LogRecord[] = [];
  const gaps: Gap[] = [];
  const sums = new Set<string>();
  let own = log;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const stop = found < 0 ? bytes.length : found + 1;
    const line = decodeLogLine(bytes.subarray(start, found < 0 ? stop : found));
    own ??= line?.log;
    if (line && !isOfAnother(line, own)) {
      // One that stands there twice was copied by somebody, and happened once.
      if (!sums.has(line.sum)) records.push(line);
      sums.add(line.sum);
    } else {
      const last = gaps.at(-1);
      const isSame = last?.behind === records.length;
      const { lines, bytes: before } = isSame ? last : { lines: 0, bytes: 0 };
      if (isSame) gaps.pop();
      gaps.push({ behind: records.length, lines: lines + 1, bytes: before + stop - start });
    }
    start = stop;
  }
  return { records, gaps };
}

function isOfAnother({ log }: LogLine, own: string | undefined): boolean {
  return log !== undefined && own !== undefined && log !== own;
}

const newline = 0x0a;
