/**
 * The one way to read a run's log without its lock. It reads the log together with its head, so every reader notices a
 * truncated log, not only the process that resumes the run.
 *
 * A writer may be active. Its head mentions only durable records, and the log only grows; so the head is read first,
 * and everything it mentions must be in the log afterwards. Damage is read a second time before it is reported, because
 * meanwhile the log may have been started, repaired, or rid of a torn tail.
 */
import { type HeadState, headStateOf, readHead } from "../durable/head.ts";
import { type DamageCode, LogDamaged } from "../durable/log-damaged.ts";
import { beginning, type LogPosition, type ScannedLog, scanLog } from "../durable/scan.ts";
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { fileNames } from "./file-names.ts";
import { journalHint } from "./journal-hint.ts";

export interface LogContents {
  /** The sound part, from where reading began. */
  readonly scanned: ScannedLog;
  /** All bytes from where reading began. */
  readonly bytes: Uint8Array;
  readonly head: HeadState;
  /** The first thing that is wrong. */
  readonly damage?: LogDamage;
}

export interface LogDamage extends Problem {
  readonly code: DamageCode;
  /** Where in the file, if the damage has a place. */
  readonly line?: number;
  readonly offset?: number;
}

/** What the reader already knows: up to which position, and which records. */
export interface KnownLog {
  readonly from: LogPosition;
  sumOf(seq: number): string | undefined;
}

const nothingKnown: KnownLog = { from: beginning, sumOf: () => undefined };

/** Gives up after this many readings: a log that keeps changing never reads the same twice. */
const readingsMax = 20;

export function readLog(files: Files, folder: Folder, known: KnownLog = nothingKnown): LogContents {
  let reading = readOnce(files, folder, known);
  for (let count = 1; troubleIn(reading) !== undefined && count < readingsMax; count++) {
    const again = readOnce(files, folder, known);
    if (troubleIn(again) === troubleIn(reading)) return again;
    reading = again;
  }
  return reading;
}

function troubleIn(reading: LogContents): string | undefined {
  return (reading.damage ?? headWarning(reading))?.message;
}

function readOnce(files: Files, folder: Folder, known: KnownLog): LogContents {
  const { from } = known;
  try {
    const head = readHead({ files, folder, name: fileNames.head });
    const bytes = bytesFrom(files, folder, from);
    const scanned = scanLog(bytes, from);
    const headState = headStateOf(head, logOf(scanned, known));
    const damage = damageOf({ scanned, head: headState });
    return { scanned, bytes, head: headState, ...(damage && { damage }) };
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    const damage = logProblemOf(error.code, error.message);
    return { scanned: scanLog(new Uint8Array(), from), bytes: new Uint8Array(), head: unread, damage };
  }
}

const unread: HeadState = { is: "missing" };

function logOf({ records, end }: ScannedLog, { from, sumOf }: KnownLog) {
  return { end, sumOf: (seq: number) => (seq > from.seq ? records[seq - from.seq - 1]?.sum : sumOf(seq)) };
}

/** A missing log counts as empty; its head, if there is one, shows that it is not. */
function bytesFrom(files: Files, folder: Folder, { offset, seq }: LogPosition): Uint8Array {
  const found = files.stat(folder, fileNames.log);
  if (!found && offset === 0) return new Uint8Array();
  if (!found) throw new LogDamaged("LOG_LOST_TAIL", fileNames.log, "it is not there any more");
  if (found.kind !== "file") throw new LogDamaged("STATE_UNSAFE", fileNames.log, "it is not a regular file");
  const file = files.open(folder, fileNames.log, "read");
  try {
    const { size } = files.statOf(file);
    if (size >= offset) return files.read(file, offset, size - offset);
    const why = `it was cut off before record ${seq}, which was there`;
    throw new LogDamaged("LOG_LOST_TAIL", fileNames.log, why);
  } finally {
    files.close(file);
  }
}

function damageOf({ scanned: { damage, end }, head }: Pick<LogContents, "scanned" | "head">) {
  if (damage) {
    const { line, offset, why } = damage;
    const message = `${fileNames.log}, line ${line} (byte ${offset}): ${why}`;
    return { ...logProblemOf("LOG_CORRUPT", message), line, offset };
  }
  switch (head.is) {
    case "ahead":
      return logProblemOf(
        "LOG_LOST_TAIL",
        `the log ends with record ${end.seq}, but its head saw record ${head.mark.seq}`,
      );
    case "contradicted":
      return logProblemOf("LOG_CORRUPT", `record ${head.mark.seq} is not the one that the head saw`);
    default:
      return undefined;
  }
}

export function logProblemOf(code: DamageCode, message: string): LogDamage {
  return { code, message, hint: journalHint(code) };
}

/**
 * A problem with the head that leaves the log without a second witness but does no other harm: the next writer makes
 * the head again, and says so in the log. Undefined before the first record.
 */
export function headWarning({ head, scanned: { end } }: LogContents): Problem | undefined {
  if (end.seq === 0 || !(head.is in weaknesses)) return undefined;
  const what = weaknesses[head.is as keyof typeof weaknesses];
  return {
    code: "LOG_UNWITNESSED",
    message: `${fileNames.head}, the second witness of the log, ${what}: a shortened log would go unnoticed`,
    hint: "If the run's folder was not restored or copied, check what happened last: cox log. Resuming the run creates it again: cox resume",
  };
}

const weaknesses = {
  missing: "is missing",
  damaged: "is damaged",
  foreign: "is of another log",
  newer: "was written by a newer version",
} as const satisfies Partial<Record<HeadState["is"], string>>;
