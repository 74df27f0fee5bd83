/**
 * What `cox log --repair` does: truncates a damaged log after the last whole append before the damage, keeps a copy of
 * the original, and updates the head to match.
 *
 * It loses acknowledged records, so it does nothing without consent, and says exactly what it would lose or has lost. A
 * crash at any moment leaves either the damaged log or the repaired one.
 */
import { guard } from "../durable/guard.ts";
import { headBytes } from "../durable/head.ts";
import { Lock, LockHeld } from "../durable/lock.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import { openSafely } from "../durable/open-safely.ts";
import {
  keepBeforeRepair,
  linesOfLog,
  type Repaired,
  soundLog,
  type UnseenRecords,
} from "../durable/repaired.ts";
import { replaceFileNow } from "../durable/replace-file.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { fileNames } from "./file-names.ts";
import { journalHint } from "./journal-hint.ts";
import { type LogContents, readLog } from "./read-log.ts";
import { reportOf } from "./verify-log.ts";
import { runVocabulary } from "./vocabulary.ts";

export interface Repair {
  readonly files: Files;
  /** The path of the run's folder. */
  readonly folder: string;
  /** Whether the losses are accepted. Without consent nothing is changed. */
  readonly consent: boolean;
}

export interface Losses {
  /** The last record that remains. */
  readonly after: number;
  /** How many bytes are cut off. */
  readonly bytes: number;
  /** Records in these bytes that are themselves whole. */
  readonly readable: readonly Lost[];
  readonly unseen?: UnseenRecords;
}

export interface Lost {
  readonly seq: number;
  readonly at: string;
  readonly event: string;
}

/** Throws LOCK_HELD while the run has a writer. */
export function repairLog({ files: given, folder: path, consent }: Repair): Repaired<Losses> {
  const files = guard(given);
  const folder = files.openRoot(path);
  let lock: Lock | undefined;
  try {
    lock = Lock.take(files, folder, fileNames.lock, `process ${process.pid}, repairing the log`);
    if (!lock) throw new LockHeld("this run", Lock.hint(files, folder, fileNames.lock));
    const reading = readLog(files, folder);
    const { damage } = reportOf(reading, runVocabulary);
    if (!damage || !repairable.has(damage.code)) return { outcome: "refused", problem: damage ?? sound };
    const losses = lossesOf(reading);
    if (!consent) return { outcome: "consent needed", damage, losses };
    return { outcome: "repaired", losses, kept: repair({ files, folder, reading }) };
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    const { code, message } = error;
    return { outcome: "refused", problem: { code, message, hint: journalHint(code) } };
  } finally {
    lock?.release();
    files.close(folder);
  }
}

/** A newer version's log is not broken, and a file that we may not write cannot be repaired by writing. */
const repairable = new Set(["LOG_CORRUPT", "LOG_LOST_TAIL", "STATE_BAD"]);

const sound = soundLog("Continue: cox resume. It also sets a torn tail aside, if there is one.");

function lossesOf({ scanned, bytes, head }: LogContents): Losses {
  const { end } = scanned;
  const readable = readableLines(bytes.subarray(end.offset));
  const seen = Math.max(end.seq, ...readable.map(({ seq }) => seq));
  const last = "mark" in head && head.is !== "foreign" ? head.mark.seq : 0;
  return {
    after: end.seq,
    bytes: bytes.length - end.offset,
    readable,
    ...(last > seen && { unseen: { first: seen + 1, last } }),
  };
}

function readableLines(bytes: Uint8Array): Lost[] {
  return [...linesOfLog(bytes)].flatMap(({ line }) =>
    line ? [{ seq: line.seq, at: line.at, event: line.event }] : [],
  );
}

interface Work {
  readonly files: Files;
  readonly folder: Folder;
  readonly reading: LogContents;
}

/** First save the originals, then write the head, then truncate: a head that lags behind its log does no harm. */
function repair({ files, folder, reading: { scanned, bytes } }: Work): string[] {
  const { end } = scanned;
  const kept = keepBeforeRepair({ files, folder, ...fileNames, bytes });
  replaceFileNow({ files, folder, name: fileNames.head, bytes: headBytes({ ...end, log: end.log }) });
  files.sync(folder);
  const log = openSafely(files, folder, fileNames.log);
  try {
    if (bytes.length > end.offset) files.truncate(log, end.offset);
    files.sync(log);
  } finally {
    files.close(log);
  }
  files.sync(folder);
  return kept;
}
