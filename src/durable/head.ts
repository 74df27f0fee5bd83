/**
 * The second witness of a log: a tiny file that says how far it reached. A log that is cut off neatly after a whole
 * append looks sound by itself; its head knows better.
 *
 * It speaks only of records that are durable, so in no crash is it ahead of the log; it may be behind, and then it is
 * merely a weaker witness. That is why it need not be written with every append, nor its rename be synced.
 */
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Files, Folder } from "../world/files.ts";
import { LogDamaged } from "./log-damaged.ts";
import type { Scanned } from "./scan.ts";
import { seal, unseal } from "./seal.ts";

const version = 1;
const bytesMax = 1000;

/** The last record of a log, and with it, through the chain, all that came before. */
export interface Tip {
  readonly seq: number;
  /** Nothing before the first one. */
  readonly sum: string;
}

export interface Mark extends Tip {
  readonly log: string | undefined;
}

/** What the head says about the log that is there. */
export type Standing =
  | { readonly is: "missing" }
  | { readonly is: "damaged" }
  | { readonly is: "foreign"; readonly mark: Mark }
  | { readonly is: "newer"; readonly v: number }
  /** The log has the record that it speaks of. */
  | { readonly is: "sound"; readonly mark: Mark }
  /** The log ends before it. */
  | { readonly is: "ahead"; readonly mark: Mark }
  /** The log has another record in its place. */
  | { readonly is: "contradicted"; readonly mark: Mark };

export function headBytes({ log, seq, sum }: Mark): Uint8Array {
  return encodeUtf8(`${seal({ v: version, log, seq, last: sum }).text}\n`);
}

export function standingOfHead(
  { files, folder, name }: { files: Files; folder: Folder; name: string },
  { records, end }: Scanned,
): Standing {
  const found = files.stat(folder, name);
  if (!found) return { is: "missing" };
  if (found.kind !== "file") throw new LogDamaged("STATE_UNSAFE", name, "it is not a regular file");
  const file = files.open(folder, name, "read");
  const { v, log, seq, last } = (unseal(decodeUtf8(readOnce(files, file)).trimEnd())?.value ??
    {}) as Partial<{ v: number; log: string; seq: number; last: string }>;
  if (v !== undefined && v > version) return { is: "newer", v };
  if (v === undefined || seq === undefined || last === undefined) return { is: "damaged" };
  const mark = { log, seq, sum: last };
  if (end.log !== undefined && log !== end.log) return { is: "foreign", mark };
  if (seq > end.seq) return { is: "ahead", mark };
  const there = seq === 0 ? "" : records[seq - 1]?.sum;
  return { is: there === last ? "sound" : "contradicted", mark };
}

function readOnce(files: Files, file: ReturnType<Files["open"]>): Uint8Array {
  try {
    return files.read(file, 0, bytesMax);
  } finally {
    files.close(file);
  }
}

/** Throws when the log is not what the head saw. A head that says nothing of this log is only made anew. */
export function mustNotContradict(standing: Standing, log: string, end: { readonly seq: number }): void {
  switch (standing.is) {
    case "ahead":
      throw new LogDamaged(
        "LOG_LOST_TAIL",
        log,
        `it ends with record ${end.seq}, but its head saw record ${standing.mark.seq}: the end is lost`,
      );
    case "contradicted":
      throw new LogDamaged(
        "LOG_CORRUPT",
        log,
        `record ${standing.mark.seq} is not the one that its head saw`,
      );
    case "newer":
      throw new LogDamaged(
        "STATE_BAD",
        "head",
        `it was written by a newer version (format ${standing.v}), and says nothing to this one`,
      );
    default:
      return;
  }
}
