/**
 * A tiny file that records how far a log reached. A log truncated exactly after a whole append looks sound by itself;
 * its head shows that something is missing.
 *
 * It mentions only durable records, so no crash leaves it ahead of the log. It may lag behind, and then it merely
 * detects less. That is why it need not be written with every append, nor its rename synced.
 */
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files/files.ts";
import { LogDamaged } from "./log-damaged.ts";
import type { LogPosition, ScannedLog } from "./scan.ts";
import { seal, unseal } from "./seal.ts";

const version = 1;
const bytesMax = 1000;

/** The last record of a log; through the chain it stands for everything before it. */
export interface Tip {
  readonly seq: number;
  /** Empty before the first record. */
  readonly sum: string;
}

export interface Mark extends Tip {
  readonly log: string | undefined;
}

/** What the head says about the existing log. */
export type HeadState =
  | { readonly is: "missing" }
  | { readonly is: "damaged" }
  | { readonly is: "foreign"; readonly mark: Mark }
  | { readonly is: "newer"; readonly v: number }
  /** The log has the record that the head mentions. */
  | { readonly is: "sound"; readonly mark: Mark }
  /** The log ends before that record. */
  | { readonly is: "ahead"; readonly mark: Mark }
  /** The log has a different record in its place. */
  | { readonly is: "contradicted"; readonly mark: Mark };

export function headBytes({ log, seq, sum }: Mark): Uint8Array {
  return encodeUtf8(`${seal({ v: version, log, seq, last: sum }).text}\n`);
}

/** What a head says, before it is compared with its log. */
type HeadContents = Extract<HeadState, { is: "missing" | "damaged" | "newer" }> | { readonly mark: Mark };

interface HeadPlace {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
}

/** Without the lock, read the head before the log: it never mentions more than the log had by then. */
export function readHead({ files, folder, name }: HeadPlace): HeadContents {
  const file = openHead({ files, folder, name });
  if (!file) return { is: "missing" };
  const { v, log, seq, last } = (unseal(decodeUtf8(readOnce(files, file)).trimEnd())?.value ??
    {}) as Partial<{ v: number; log: string; seq: number; last: string }>;
  if (v !== undefined && v > version) return { is: "newer", v };
  if (v === undefined || seq === undefined || last === undefined) return { is: "damaged" };
  return { mark: { log, seq, sum: last } };
}

/** The log as far as it was read: its end, and the checksum of a record by number. */
interface LogSoFar {
  readonly end: LogPosition;
  sumOf(seq: number): string | undefined;
}

export function headStateOf(head: HeadContents, { end, sumOf }: LogSoFar): HeadState {
  if ("is" in head) return head;
  const { mark } = head;
  if (end.log !== undefined && mark.log !== end.log) return { is: "foreign", mark };
  if (mark.seq > end.seq) return { is: "ahead", mark };
  const there = mark.seq === 0 ? "" : sumOf(mark.seq);
  return { is: there === mark.sum ? "sound" : "contradicted", mark };
}

/** For a log that was read from its beginning, by the holder of its lock. */
export function readHeadState(place: HeadPlace, { records, end }: ScannedLog): HeadState {
  return headStateOf(readHead(place), { end, sumOf: (seq) => records[seq - 1]?.sum });
}

/** Undefined when missing. The lock's holder replaces the head in one step, so it either exists or was never made. */
function openHead({ files, folder, name }: HeadPlace): File | undefined {
  const found = files.stat(folder, name);
  if (!found) return undefined;
  if (found.kind !== "file") throw new LogDamaged("STATE_UNSAFE", name, "it is not a regular file");
  return files.open(folder, name, "read");
}

function readOnce(files: Files, file: File): Uint8Array {
  try {
    return files.read(file, 0, bytesMax);
  } finally {
    files.close(file);
  }
}

/**
 * Throws when the log does not match what the head recorded. A missing, damaged or foreign head is no error here: it is
 * just made again.
 */
export function mustNotContradict(headState: HeadState, log: string, end: { readonly seq: number }): void {
  switch (headState.is) {
    case "ahead":
      throw new LogDamaged(
        "LOG_LOST_TAIL",
        log,
        `it ends with record ${end.seq}, but its head saw record ${headState.mark.seq}: the end is lost`,
      );
    case "contradicted":
      throw new LogDamaged(
        "LOG_CORRUPT",
        log,
        `record ${headState.mark.seq} is not the one that its head saw`,
      );
    case "newer":
      throw new LogDamaged(
        "STATE_BAD",
        "head",
        `it was written by a newer version (format ${headState.v}), and says nothing to this one`,
      );
    default:
      return;
  }
}
