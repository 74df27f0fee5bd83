/**
 * Checks the document log, for `cox log --documents --verify`. Takes no lock, changes nothing, and also reports on a
 * broken log.
 */
import { Bookmark } from "../durable/bookmark.ts";
import { readAll } from "../durable/recover-log.ts";
import { type LogPosition, type ScannedLog, scanLog } from "../durable/scan.ts";
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { Tree } from "../world/folders/tree.ts";
import { changeIn, understands, withdrawnIn } from "./record.ts";
import { storeHint } from "./store-hint.ts";
import { roomNames, StoreRoom } from "./store-room.ts";

export interface HistoryReport {
  readonly bytes: number;
  readonly records: number;
  /** Changes that were applied. */
  readonly changes: number;
  /** Changes that were recorded but not applied, because somebody else wrote at the same moment. */
  readonly withdrawn: number;
  /** How often the lock passed from one writer to another. */
  readonly turns: number;
  /** Bytes after the last complete record, as a crash can leave them. The next change moves them aside. */
  readonly tornBytes: number;
  /** The first fault found. If missing, changes can continue. */
  readonly damage?: Problem;
}

export function verifyHistory(files: Files, root: string): HistoryReport {
  const tree = Tree.open(files, root);
  const folder = StoreRoom.peek(tree);
  try {
    return reportOf(folder ? inspectHistory(files, folder) : nothing);
  } finally {
    if (folder) files.close(folder);
    tree.close();
  }
}

export interface InspectedHistory {
  readonly bytes: Uint8Array;
  readonly scanned: ScannedLog;
  /** How far the log has been applied, according to the bookmark. */
  readonly place: LogPosition | undefined;
}

const nothing: InspectedHistory = {
  bytes: new Uint8Array(),
  scanned: scanLog(new Uint8Array()),
  place: undefined,
};

/** A missing log counts as empty; if there is a bookmark, it reveals the loss. */
export function inspectHistory(files: Files, folder: Folder): InspectedHistory {
  // Read the bookmark before the log: then it never refers to more than the log holds, even while a writer continues.
  const place = Bookmark.peek(files, folder, roomNames.head);
  const bytes = files.stat(folder, roomNames.log) ? readLog(files, folder) : new Uint8Array();
  return { bytes, scanned: scanLog(bytes), place };
}

function readLog(files: Files, folder: Folder): Uint8Array {
  const file = files.open(folder, roomNames.log, "read");
  try {
    return readAll(files, file, roomNames.log);
  } finally {
    files.close(file);
  }
}

function reportOf(inspected: InspectedHistory): HistoryReport {
  const { bytes, scanned } = inspected;
  const { records, end } = scanned;
  const damage = damageOf(inspected);
  const withdrawn = records.filter((record) => withdrawnIn(record) !== undefined).length;
  return {
    bytes: bytes.length,
    records: records.length,
    changes: records.filter((record) => changeIn(record)).length - withdrawn,
    withdrawn,
    turns: new Set(records.map(({ fence }) => fence)).size,
    tornBytes: damage ? 0 : bytes.length - end.offset,
    ...(damage && { damage }),
  };
}

/** The first fault found. */
export function damageOf({ scanned, place }: InspectedHistory): Problem | undefined {
  const { records, end, damage } = scanned;
  const { log } = roomNames;
  if (damage)
    return problem("LOG_CORRUPT", `${log}, line ${damage.line} (byte ${damage.offset}): ${damage.why}`);
  const strange = records.find((record) => !understands(record));
  if (strange)
    return problem(
      "LOG_VERSION",
      `${log}: record ${strange.seq} was written by a newer version (format ${strange.v})`,
    );
  if (!place || place.seq === 0) return undefined;
  if (place.seq > end.seq)
    return problem(
      "LOG_LOST_TAIL",
      `${log} ends with record ${end.seq}, but ${place.seq} were written: the end is lost`,
    );
  if (records[place.seq - 1]?.sum === place.sum) return undefined;
  return problem("LOG_CORRUPT", `${log}: record ${place.seq} is not the one that was written`);
}

function problem(code: string, message: string): Problem {
  return { code, message, hint: storeHint(code) };
}
