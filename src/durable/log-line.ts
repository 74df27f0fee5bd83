/**
 * One record as a line: `{v, log, seq, at, t, fence, batch, event, data, prev, sum}`.
 *
 * `log` is the id of the log, so a line from another log is recognised; `t` is run time; `sum` is a checksum of the
 * line and `prev` the `sum` of the line before; `fence` is the number of its writer's first record. Logs from before
 * ids and run time existed lack `log` and `t`, and can still be read.
 */
import { decodeUtf8 } from "../std/utf8.ts";
import { sealText, unseal } from "./seal.ts";

export interface LogFileLine {
  /** Version of what the events mean, chosen by the log's owner. */
  readonly v: number;
  readonly log?: string;
  readonly seq: number;
  readonly at: string;
  readonly t?: number;
  readonly fence: number;
  readonly batch: Batch;
  readonly event: string;
  readonly data: unknown;
  readonly prev: string;
}

/** First and last record number of its append, and the first number of the write it was part of, if that differs. */
export type Batch = readonly [first: number, last: number, write?: number];

/** What the lines of one append have in common. */
export interface Append extends Pick<LogFileLine, "v" | "at" | "fence" | "batch"> {
  readonly log: string | undefined;
  readonly t: number | undefined;
}

/**
 * The lines of one append that follows the record with checksum `prev`, and their checksums.
 *
 * Built by hand, because most of each line is the same: creating an object per line and stringifying it took three
 * times as long, and that is most of the cost of an append that shares its sync with a hundred others.
 */
export function encodeAppend(
  { v, log, at, t, fence, batch }: Append,
  events: readonly Pick<LogFileLine, "event" | "data">[],
  prev: string,
): { readonly text: string; readonly sums: string[] } {
  const id = log === undefined ? "" : `"log":${JSON.stringify(log)},`;
  const time = t === undefined ? "" : `"t":${t},`;
  const same = `"at":${JSON.stringify(at)},${time}"fence":${fence},"batch":[${batch.join()}]`;
  const sums: string[] = [];
  let text = "";
  let last = prev;
  for (const { event, data } of events) {
    const seq = batch[0] + sums.length;
    const what = `"event":${JSON.stringify(event)},"data":${JSON.stringify(data) ?? "null"}`;
    const line = sealText(`{"v":${v},${id}"seq":${seq},${same},${what},"prev":"${last}"}`);
    text += `${line.text}\n`;
    last = line.sum;
    sums.push(last);
  }
  return { text, sums };
}

/** Undefined unless it is one of our lines, whole and unchanged. */
export function decodeLogLine(bytes: Uint8Array): (LogFileLine & { readonly sum: string }) | undefined {
  const opened = unseal(decodeUtf8(bytes));
  if (!opened || !isLogLine(opened.value)) return undefined;
  return { ...opened.value, sum: opened.sum };
}

/** What can still be recognised of a line in damaged bytes. */
export interface Trace {
  readonly log?: string;
  readonly first: number;
  readonly write: number;
}

/** Matches what `encodeAppend` writes. No text inside an event can imitate it, because its quotes are escaped. */
const traces =
  /"v":\d+,(?:"log":"([^"]*)",)?"seq":\d+,"at":"[^"]*",(?:"t":[\d.e+-]+,)?"fence":\d+,"batch":\[(\d+),\d+(?:,(\d+))?\]/g;

export function tracesIn(bytes: Uint8Array): Trace[] {
  const text = new TextDecoder("latin1").decode(bytes);
  return Array.from(text.matchAll(traces), ([, log, first, write]) => ({
    ...(log !== undefined && { log }),
    first: Number(first),
    write: Number(write ?? first),
  }));
}

function isLogLine(value: unknown): value is LogFileLine {
  const line = value as Partial<Record<keyof LogFileLine, unknown>> | null;
  return (
    typeof line === "object" &&
    line !== null &&
    [line.v, line.seq, line.fence].every(Number.isSafeInteger) &&
    [line.at, line.event, line.prev].every((text) => typeof text === "string") &&
    ["string", "undefined"].includes(typeof line.log) &&
    ["number", "undefined"].includes(typeof line.t) &&
    Array.isArray(line.batch) &&
    line.batch.length >= 2 &&
    line.batch.every(Number.isSafeInteger)
  );
}
