/**
 * Bytes of a log → its whole, chained appends, where they end, and what is wrong after that.
 *
 * A crash can damage only the last write, which may hold several appends, because no write begins before the previous
 * one is durable. So whatever follows the last whole append is either a torn tail, the remains of one write, or damage.
 */
import { quote } from "../std/printable.ts";
import { decodeLogLine, type LogFileLine, tracesIn } from "./log-line.ts";

/** The position up to which a log is known to be sound. */
export interface LogPosition {
  readonly offset: number;
  /** Number of the last record before it, which is also the number of lines. */
  readonly seq: number;
  readonly sum: string;
  readonly log?: string;
}

export const beginning: LogPosition = { offset: 0, seq: 0, sum: "" };

export interface LogRecord {
  readonly v: number;
  readonly seq: number;
  readonly at: string;
  readonly t?: number;
  readonly fence: number;
  readonly event: string;
  readonly data: unknown;
  readonly sum: string;
}

export interface ScannedLog {
  readonly records: readonly LogRecord[];
  readonly batches: number;
  readonly end: LogPosition;
  /** Something that no crash of ours can have left. Without it, whatever follows the end is a torn tail. */
  readonly damage?: Damage;
}

export interface Damage {
  readonly line: number;
  readonly offset: number;
  readonly why: string;
}

/** `bytes` begin at the position `from`. */
export function scanLog(bytes: Uint8Array, from: LogPosition = beginning): ScannedLog {
  const records: LogRecord[] = [];
  let batches = 0;
  let end = from;
  let open: (LogFileLine & { sum: string })[] = [];
  let start = 0;
  const answer = (why?: string): ScannedLog => ({
    records,
    batches,
    end,
    ...(why && { damage: { line: end.seq + open.length + 1, offset: from.offset + start, why } }),
  });
  while (start < bytes.length) {
    const stop = bytes.indexOf(newline, start);
    const line = stop < 0 ? undefined : decodeLogLine(bytes.subarray(start, stop));
    if (!line) return answer(strangeTail(bytes.subarray(start), end));
    const wrong = misplaced(line, end, open);
    if (wrong) return answer(wrong);
    open.push(line);
    start = stop + 1;
    if (line.seq !== line.batch[1]) continue;
    for (const one of open) records.push(recordOf(one));
    const log = end.log ?? line.log;
    end = { offset: from.offset + start, seq: line.seq, sum: line.sum, ...(log !== undefined && { log }) };
    batches += 1;
    open = [];
  }
  return answer();
}

function misplaced(
  line: LogFileLine,
  end: LogPosition,
  open: readonly (LogFileLine & { sum: string })[],
): string | undefined {
  const expected = end.seq + open.length + 1;
  if (isOfAnother(line.log, end.log)) return belongsElsewhere(line.log);
  if (line.seq !== expected) return `record ${line.seq} is where record ${expected} belongs`;
  if (line.prev !== (open.at(-1)?.sum ?? end.sum))
    return `record ${line.seq} does not follow the one before it`;
  const [first, last] = line.batch;
  if (first !== end.seq + 1 || last < line.seq || last !== (open[0]?.batch[1] ?? last))
    return `record ${line.seq} belongs to another append than its neighbours`;
  return undefined;
}

/** Whether a tail holds anything other than the remains of the write that contained the next append. */
function strangeTail(bytes: Uint8Array, end: LogPosition): string | undefined {
  const next = end.seq + 1;
  for (const { log, first, write } of tracesIn(bytes)) {
    if (isOfAnother(log, end.log)) return belongsElsewhere(log);
    if (first < next || write > next) return `it is broken, but what follows is of append ${first}`;
  }
  return undefined;
}

/** A line without an id comes from a version that had none; the chain still binds it to its log. */
function isOfAnother(log: string | undefined, own: string | undefined): boolean {
  return log !== undefined && own !== undefined && log !== own;
}

function belongsElsewhere(log: string | undefined): string {
  return `it is a record of another log (${quote(log ?? "")})`;
}

function recordOf({ v, seq, at, t, fence, event, data, sum }: LogFileLine & { sum: string }): LogRecord {
  return { v, seq, at, ...(t !== undefined && { t }), fence, event, data, sum };
}

const newline = 0x0a;
