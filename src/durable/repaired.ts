/**
 * What the repairs of logs have in common: nothing is changed without consent, and what was there is kept under another
 * name first. How a log is repaired is up to its owner: a run's log is cut off, the documents' log is written again.
 */
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { keepAside } from "./cut-tail.ts";
import { decodeLogLine } from "./log-line.ts";

export type Repaired<Losses> =
  | { readonly outcome: "repaired"; readonly losses: Losses; readonly kept: readonly string[] }
  /** What would be lost. */
  | { readonly outcome: "consent needed"; readonly damage: Problem; readonly losses: Losses }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** Records that only the head knew of, as a range of numbers; their content is in no file. */
export interface UnseenRecords {
  readonly first: number;
  readonly last: number;
}

/** A sound log needs no repair, and that is not a failure. */
export function soundLog(hint: string): Problem {
  return { code: "LOG_SOUND", message: "the log is sound: there is nothing to repair", hint };
}

interface LogFiles {
  readonly files: Files;
  readonly folder: Folder;
  /** The names of the two files, and the bytes of the first. */
  readonly log: string;
  readonly head: string;
  readonly bytes: Uint8Array;
}

/** Keeps a log and its head as they are, and returns the new names: that of the log first. */
export function keepBeforeRepair({ files, folder, log, head, bytes }: LogFiles): string[] {
  const keep = (name: string, content: Uint8Array) =>
    keepAside({ files, folder, name: `${name}.before-repair`, bytes: content });
  const kept = [keep(log, bytes)];
  if (files.stat(folder, head)?.kind !== "file") return kept;
  const file = files.open(folder, head, "read");
  try {
    return [...kept, keep(head, files.read(file, 0, files.statOf(file).size))];
  } finally {
    files.close(file);
  }
}

interface LineOfLog {
  readonly line: ReturnType<typeof decodeLogLine>;
  readonly length: number;
}

/** Each line of a damaged log with its length, the line break included; `line` is missing if it cannot be read. */
export function* linesOfLog(bytes: Uint8Array): Generator<LineOfLog> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const stop = found < 0 ? bytes.length : found + 1;
    const line = decodeLogLine(bytes.subarray(start, found < 0 ? stop : found));
    yield { line, length: stop - start };
    start = stop;
  }
}

const newline = 0x0a;
