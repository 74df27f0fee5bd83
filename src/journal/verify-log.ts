/** How a run's log is: for `cox log --verify`. It takes no lock, changes nothing, and answers also about what is broken. */
import { type Standing, standingOfHead } from "../durable/head.ts";
import { type DamageCode, LogDamaged } from "../durable/log-damaged.ts";
import { type Scanned, scanLog } from "../durable/scan.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files.ts";
import { fileNames } from "./file-names.ts";
import { runVocabulary, understood, type Vocabulary } from "./vocabulary.ts";
import { whatToDo } from "./what-to-do.ts";

export interface LogReport {
  /** The log's own id. */
  readonly log?: string;
  readonly bytes: number;
  /** In whole, chained appends: all that the next start will read. */
  readonly records: number;
  readonly batches: number;
  readonly writers: number;
  /** The checksum of the last record. */
  readonly last: string;
  readonly head: Standing["is"];
  /** The last record that the head saw. */
  readonly headSeq?: number;
  /** Bytes behind the last whole append that a crash can have left: the next start puts them aside. */
  readonly tornBytes: number;
  /** The first thing that is wrong. Without it the run can go on. */
  readonly damage?: LogDamage;
}

export interface LogDamage extends Problem {
  readonly code: DamageCode;
  /** Where in the file, when it is a place in it. */
  readonly line?: number;
  readonly offset?: number;
}

export interface LogToVerify {
  readonly files: Files;
  /** The path of the run's folder. */
  readonly folder: string;
  readonly vocabulary?: Vocabulary;
}

export function verifyLog({ files, folder: path, vocabulary = runVocabulary }: LogToVerify): LogReport {
  const folder = files.openRoot(path);
  try {
    return reportOf(inspect(files, folder), vocabulary);
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    return { ...nothingRead, damage: problemOf(error.code, error.message) };
  } finally {
    files.close(folder);
  }
}

export interface Inspected {
  readonly scanned: Scanned;
  readonly bytes: Uint8Array;
  readonly head: Standing;
}

export function inspect(files: Files, folder: Folder): Inspected {
  const bytes = readLog(files, folder);
  const scanned = scanLog(bytes);
  return { scanned, bytes, head: standingOfHead({ files, folder, name: fileNames.head }, scanned) };
}

export function reportOf({ scanned, bytes, head }: Inspected, vocabulary: Vocabulary): LogReport {
  const { records, batches, end } = scanned;
  const damage = firstDamage({ scanned, head, vocabulary });
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
  };
}

interface Judged {
  readonly scanned: Scanned;
  readonly head: Standing;
  readonly vocabulary: Vocabulary;
}

function firstDamage({ scanned, head, vocabulary }: Judged): LogDamage | undefined {
  const { damage, records, end } = scanned;
  if (damage) {
    const { line, offset, why } = damage;
    const message = `${fileNames.log}, line ${line} (byte ${offset}): ${why}`;
    return { ...problemOf("LOG_CORRUPT", message), line, offset };
  }
  const strange = records.find((record) => !understood(record, vocabulary));
  if (strange) {
    const what = `record ${strange.seq} (${quote(strange.event)}, format ${strange.v})`;
    return { ...problemOf("LOG_VERSION", `${what} means nothing to this version`), line: strange.seq };
  }
  switch (head.is) {
    case "ahead":
      return problemOf(
        "LOG_LOST_TAIL",
        `the log ends with record ${end.seq}, but its head saw record ${head.mark.seq}`,
      );
    case "contradicted":
      return problemOf("LOG_CORRUPT", `record ${head.mark.seq} is not the one that the head saw`);
    case "newer":
      return problemOf("STATE_BAD", `the head was written by a newer version (format ${head.v})`);
    default:
      return undefined;
  }
}

function problemOf(code: DamageCode, message: string): LogDamage {
  return { code, message, hint: whatToDo(code) };
}

const nothingRead = {
  bytes: 0,
  records: 0,
  batches: 0,
  writers: 0,
  last: "",
  head: "missing",
  tornBytes: 0,
} as const;

/** A log that is not there is an empty one: its head, if there is one, knows better. */
function readLog(files: Files, folder: Folder): Uint8Array {
  const found = files.stat(folder, fileNames.log);
  if (!found) return new Uint8Array();
  if (found.kind !== "file") throw new LogDamaged("STATE_UNSAFE", fileNames.log, "it is not a regular file");
  const file = files.open(folder, fileNames.log, "read");
  try {
    return files.read(file, 0, files.statOf(file).size);
  } finally {
    files.close(file);
  }
}
