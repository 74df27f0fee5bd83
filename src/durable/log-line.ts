/**
 * One record as a line: `{v, log, seq, at, t, fence, batch, event, data, prev, sum}`.
 *
 * `log` is the id of the log, so that a line of another one is known for what it is; `t` is run time; `sum` is a
 * checksum of the line and `prev` the `sum` of the line before; `fence` is the number of its writer's own first record.
 * Logs written before there were ids and run time lack `log` and `t`, and are read as well.
 */
import { decodeUtf8 } from "../std/utf8.ts";
import { sealText, unseal } from "./seal.ts";

export interface LogLine {
  /** Of what the events mean; who writes the log counts it. */
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

/** First and last number of its append, and the first of the write it was part of, where that is another. */
export type Batch = readonly [first: number, last: number, write?: number];

/** What the lines of one append have in common. */
export interface Append extends Pick<LogLine, "v" | "at" | "fence" | "batch"> {
  readonly log: string | undefined;
  readonly t: number | undefined;
}

/**
 * The lines of one append behind the record with the checksum `prev`, and their checksums.
 *
 * By hand, since most of a line is the same for all of them: an object made for each, and JSON of it, took three times
 * as long, and an append that shares its sync with a hundred others is made of little else.
 */
export function encodeAppend(
  { v, log, at, t, fence, batch }: Append,
  events: readonly Pick<LogLine, "event" | "data">[],
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

/** Nothing when it is not a line as we write them, whole and unchanged. */
export function decodeLogLine(bytes: Uint8Array): (LogLine & { readonly sum: string }) | undefined {
  const opened = unseal(decodeUtf8(bytes));
  if (!opened || !isLogLine(opened.value)) return undefined;
  return { ...opened.value, sum: opened.sum };
}

/** What can still be seen of a line in damaged bytes. */
export interface Trace {
  readonly log?: string;
  readonly first: number;
  readonly write: number;
}

/** In the words of `encodeAppend`, which no text inside an event can imitate: its quotes are escaped. */
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

function isLogLine(value: unknown): value is LogLine {
  const line = value as Partial<Record<keyof LogLine, unknown>> | null;
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
