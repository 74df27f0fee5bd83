/** Reads a log for its next writer and cleans up after a crash: cuts the torn tail and rewrites the head. */
import { assert } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files/files.ts";
import { cutTail } from "./cut-tail.ts";
import { type HeadState, headBytes, mustNotContradict, readHeadState } from "./head.ts";
import type { Lock } from "./lock.ts";
import { LogDamaged } from "./log-damaged.ts";
import { replaceFileNow } from "./replace-file.ts";
import { beginning, type LogPosition, type LogRecord, type ScannedLog, scanLog } from "./scan.ts";

/** A larger log could not be read at once. Normal use does not write this much in years, but a runaway program does. */
export const logBytesMax = 1 << 30;

export interface LogPlace {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
}

export interface OpenLogOptions extends LogPlace {
  /** Version of what the events mean, written with each record. */
  readonly version: number;
  /** Whether this program knows the record's meaning. If not, it must not write to the log. */
  understands(record: LogRecord): boolean;
  /** The id for a new log. */
  newId(): string;
  /** Name of its head file, if it has one. */
  readonly head?: string;
  /** The lock that makes us the only writer, if the log itself should check it. */
  readonly lock?: Lock;
  /** Maximum size. */
  readonly bytesMax?: number;
  /** Where to start reading, if everything before is known to be sound. Only for a log without a head. */
  readonly from?: LogPosition;
}

export interface RecoveredLog {
  readonly records: readonly LogRecord[];
  readonly end: LogPosition;
  readonly id?: string;
  /** What was cleaned up, in words. */
  readonly notes: readonly string[];
}

/** Throws, with nothing changed, if a person must look first. Everything it returns is durable. */
export function recoverLog(opening: OpenLogOptions, file: File): RecoveredLog {
  const { files, folder, name, head, from = beginning } = opening;
  assert(head === undefined || from === beginning, "a head is held against the whole log");
  const { bytes, size } = readFrom(opening, file, from);
  const scanned = mustBeSound(scanLog(bytes, from), name);
  mustBeUnderstood(scanned, opening);
  const headState = head === undefined ? undefined : readHeadState({ files, folder, name: head }, scanned);
  if (headState) mustNotContradict(headState, name, scanned.end);
  const { records, end } = scanned;
  const notes: string[] = [];
  if (end.offset < size) notes.push(cut(opening, file, { end, size }));
  files.sync(file);
  const id = idOf(opening, { end, headState });
  if (head !== undefined && headState) {
    notes.push(...aboutHead(headState, { head, seq: end.seq }));
    if (headState.is !== "sound" || headState.mark.seq !== end.seq)
      replaceFileNow({ files, folder, name: head, bytes: headBytes({ ...end, log: id }) });
  }
  files.sync(folder);
  return { records, end, ...(id !== undefined && { id }), notes };
}

/** Throws when the log is missing although it once existed; then no new one is made. */
export function mayBegin({ files, folder, name, head, from }: OpenLogOptions): void {
  if (files.stat(folder, name)) return;
  if (from && from.seq > 0)
    throw new LogDamaged("LOG_LOST_TAIL", name, `it is not there, but had ${counted(from.seq, "record")}`);
  if (head === undefined) return;
  const nothing = scanLog(new Uint8Array());
  mustNotContradict(readHeadState({ files, folder, name: head }, nothing), name, nothing.end);
}

export function readAll(files: Files, file: File, name: string): Uint8Array {
  const { kind, size } = files.statOf(file);
  if (kind !== "file") throw new LogDamaged("STATE_UNSAFE", name, "it is not a regular file");
  assert(size <= logBytesMax, "a log stays below 1 GiB");
  return files.read(file, 0, size);
}

/** Throws when the log has no such position. */
function readFrom(
  { files, name }: OpenLogOptions,
  file: File,
  { offset, seq, sum }: LogPosition,
): { readonly bytes: Uint8Array; readonly size: number } {
  if (offset === 0) {
    const bytes = readAll(files, file, name);
    return { bytes, size: bytes.length };
  }
  const { size } = files.statOf(file);
  if (size < offset)
    throw new LogDamaged(
      "LOG_LOST_TAIL",
      name,
      `it ends before record ${seq}, which was there: the end is lost`,
    );
  const ending = encodeUtf8(`,"sum":"${sum}"}\n`);
  const there = files.read(file, offset - ending.length, size - offset + ending.length);
  if (Buffer.compare(there.subarray(0, ending.length), ending) !== 0)
    throw new LogDamaged("LOG_CORRUPT", name, `record ${seq} is not the one that was there`);
  return { bytes: there.subarray(ending.length), size };
}

export function mustBeSound(scanned: ScannedLog, name: string): ScannedLog {
  const { damage } = scanned;
  if (damage) throw new LogDamaged("LOG_CORRUPT", name, damage.why, damage);
  return scanned;
}

function mustBeUnderstood({ records }: ScannedLog, { name, version, understands }: OpenLogOptions): void {
  const strange = records.find((record) => !understands(record));
  if (!strange) return;
  const { v, seq, event } = strange;
  const why =
    v > version ? `was written by a newer version (format ${v})` : `(${event}) is unknown to this version`;
  throw new LogDamaged("LOG_VERSION", name, `record ${seq} ${why}`);
}

function cut(
  { files, folder, name }: OpenLogOptions,
  file: File,
  { end, size }: { end: LogPosition; size: number },
): string {
  const aside = cutTail({ files, folder, file, whole: end.offset, aside: `${name}.torn-${end.seq + 1}` });
  const torn = counted(size - end.offset, "byte");
  return `${torn} behind record ${end.seq} of ${name}, left by a crash, were cut off and kept in ${aside}`;
}

/** A log keeps its id, or its lack of one, for ever. A new one takes the id that its head already has. */
function idOf(
  { newId }: OpenLogOptions,
  { end, headState }: { end: LogPosition; headState: HeadState | undefined },
): string | undefined {
  if (end.seq > 0) return end.log;
  return (headState && "mark" in headState ? headState.mark.log : undefined) ?? newId();
}

function aboutHead({ is }: HeadState, { head, seq }: { head: string; seq: number }): string[] {
  switch (is) {
    case "missing":
      return seq === 0 ? [] : [`${head}, the second witness of the log, was missing and was created again`];
    case "damaged":
      return [`${head}, the second witness of the log, was damaged and was created again`];
    case "foreign":
      return [`${head}, the second witness of the log, belonged to another log and was created again`];
    default:
      return [];
  }
}
