/** Finds the records that can still be read in a damaged log, and the gaps between them. */
import type { LogFileLine } from "../durable/log-line.ts";
import { linesOfLog } from "../durable/repaired.ts";
import type { LogRecord } from "../durable/scan.ts";

export interface Salvage {
  /** Each record is intact and appears once, in file order. */
  readonly records: readonly LogRecord[];
  readonly gaps: readonly Gap[];
}

export interface Gap {
  /** How many of the records come before the gap. */
  readonly behind: number;
  /** Unreadable lines and bytes of the file. */
  readonly lines: number;
  readonly bytes: number;
}

/** `log` is the id of the log, if known. Lines of another log are not accepted. */
export function salvage(bytes: Uint8Array, log: string | undefined): Salvage {
  const records: LogRecord[] = [];
  const gaps: Gap[] = [];
  const sums = new Set<string>();
  let own = log;
  for (const { line, length } of linesOfLog(bytes)) {
    own ??= line?.log;
    if (line && !isOfAnother(line, own)) {
      // A record that appears twice was copied by somebody; it happened once.
      if (!sums.has(line.sum)) records.push(line);
      sums.add(line.sum);
    } else {
      const last = gaps.at(-1);
      const isSame = last?.behind === records.length;
      const { lines, bytes: before } = isSame ? last : { lines: 0, bytes: 0 };
      if (isSame) gaps.pop();
      gaps.push({ behind: records.length, lines: lines + 1, bytes: before + length });
    }
  }
  return { records, gaps };
}

function isOfAnother({ log }: LogFileLine, own: string | undefined): boolean {
  return log !== undefined && own !== undefined && log !== own;
}
