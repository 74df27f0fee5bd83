/** Checks a run's log for `cox log --verify`. It takes no lock, changes nothing, and also reports on a broken log. */
import type { HeadState } from "../durable/head.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Files } from "../world/files/files.ts";
import { headWarning, type LogContents, type LogDamage, logProblemOf, readLog } from "./read-log.ts";
import { type LogVocabulary, runVocabulary, understood } from "./vocabulary.ts";

export interface LogReport {
  /** The log's id. */
  readonly log?: string;
  readonly bytes: number;
  /** Records in whole, chained appends: everything that the next start will read. */
  readonly records: number;
  readonly batches: number;
  readonly writers: number;
  /** The checksum of the last record. */
  readonly last: string;
  readonly head: HeadState["is"];
  /** The last record that the head mentions. */
  readonly headSeq?: number;
  /** Bytes after the last whole append that a crash may have left; the next start puts them aside. */
  readonly tornBytes: number;
  /** The first thing that is wrong. If there is none, the run can be resumed. */
  readonly damage?: LogDamage;
  /** Not damage itself, but it could hide damage. */
  readonly warning?: Problem;
}

export interface LogToVerify {
  readonly files: Files;
  /** The path of the run's folder. */
  readonly folder: string;
  readonly vocabulary?: LogVocabulary;
}

export function verifyLog({ files, folder: path, vocabulary = runVocabulary }: LogToVerify): LogReport {
  const folder = files.openRoot(path);
  try {
    return reportOf(readLog(files, folder), vocabulary);
  } finally {
    files.close(folder);
  }
}

export function reportOf(reading: LogContents, vocabulary: LogVocabulary): LogReport {
  const { scanned, bytes, head } = reading;
  const { records, batches, end } = scanned;
  const damage = firstDamage(reading, vocabulary);
  const warning = damage ? undefined : headWarning(reading);
  return {
    ...(end.log !== undefined && { log: end.log }),
    bytes: bytes.length,
    records: records.length,
    batches,
    writers: new Set(records.map(({ fence }) => fence)).size,
    last: end.sum,
    head: head.is,
    ...("mark" in head && { headSeq: head.mark.seq }),
    tornBytes: scanned.damage || head.is === "ahead" ? 0 : bytes.length - end.offset,
    ...(damage && { damage }),
    ...(warning && { warning }),
  };
}

/** Includes what merely prevents this version from writing the log. */
function firstDamage(
  { scanned, head, damage }: LogContents,
  vocabulary: LogVocabulary,
): LogDamage | undefined {
  if (scanned.damage) return damage;
  const strange = scanned.records.find((record) => !understood(record, vocabulary));
  if (strange) {
    const what = `record ${strange.seq} (${quote(strange.event)}, format ${strange.v})`;
    return { ...logProblemOf("LOG_VERSION", `${what} is unknown to this version`), line: strange.seq };
  }
  if (head.is === "newer")
    return logProblemOf("STATE_BAD", `the head was written by a newer version (format ${head.v})`);
  return damage;
}
