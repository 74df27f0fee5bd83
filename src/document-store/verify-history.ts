/** How the log of the documents is: for `cox log --documents --verify`. It takes no lock, changes nothing, and answers also about what is broken. */
import { Bookmark } from "../durable/bookmark.ts";
import { readAll } from "../durable/recover-log.ts";
import { type Place, type Scanned, scanLog } from "../durable/scan.ts";
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files.ts";
import { Tree } from "../world/tree.ts";
import { changeIn, understands, withdrawnIn } from "./record.ts";
import { roomNames, StoreRoom } from "./store-room.ts";
import { whatToDo } from "./what-to-do.ts";

export interface HistoryReport {
  readonly bytes: number;
  readonly records: number;
  /** Changes that were carried out. */
  readonly changes: number;
  /** Changes that were written down and not carried out, because somebody else wrote in the same moment. */
  readonly withdrawn: number;
  /** How often the lock went from one writer to another. */
  readonly turns: number;
  /** Bytes behind the last whole record that a crash can have left: the next change puts them aside. */
  readonly tornBytes: number;
  /** The first thing that is wrong. Without it changes can go on. */
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
  readonly scanned: Scanned;
  /** Up to where the log is carried out, as the bookmark says. */
  readonly place: Place | undefined;
}

const nothing: InspectedHistory = {
  bytes: new Uint8Array(),
  scanned: scanLog(new Uint8Array()),
  place: undefined,
};

/** A log that is not there is an empty one: its bookmark, if there is one, knows better. */
export function inspectHistory(files: Files, folder: Folder): InspectedHistory {
  const bytes = files.stat(folder, roomNames.log) ? readLog(files, folder) : new Uint8Array();
  return { bytes, scanned: scanLog(bytes), place: Bookmark.peek(files, folder, roomNames.head) };
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

/** The first thing that is wrong. */
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
  return { code, message, hint: whatToDo(code) };
}
