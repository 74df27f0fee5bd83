/** How the log of the documents is: for `cox log --documents --verify`. It takes no lock, changes nothing, and answers also about what is broken. */
import { Bookmark } from "../durable/bookmark.ts";
import { readAll } from "../durable/recover-log.ts";
import { type Place, type Scanned, scanLog } from "../durable/scan.ts";
import type { Problem } from "../std/problem.ts";
import type { Files } from "../world/files.ts";
import { Tree } from "../world/tree.ts";
import { changeIn, understands, withdrawnIn } from "./record.ts";
import { roomNames, StoreRoom } from "./store-room.ts";

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
    const isThere = folder && files.stat(folder, roomNames.log) !== undefined;
    const bytes = isThere ? readLog(files, folder) : new Uint8Array();
    const place = folder && Bookmark.peek(files, folder, roomNames.head);
    return reportOf(bytes, scanLog(bytes), place);
  } finally {
    if (folder) files.close(folder);
    tree.close();
  }
}

function readLog(files: Files, folder: NonNullable<ReturnType<typeof StoreRoom.peek>>): Uint8Array {
  const file = files.open(folder, roomNames.log, "read");
  try {
    return readAll(files, file, roomNames.log);
  } finally {
    files.close(file);
  }
}

function reportOf(bytes: Uint8Array, scanned: Scanned, place: Place | undefined): HistoryReport {
  const { records, end } = scanned;
  const damage = damageOf(scanned, place);
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

function damageOf({ records, end, damage }: Scanned, place: Place | undefined): Problem | undefined {
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

/** What a person can do about it: the documents themselves are not in question. */
export const whatToDo =
  "Put .coxswain/documents back from a backup; or move it away, and a new log is begun. The documents are as they are.";

function problem(code: string, message: string): Problem {
  return {
    code,
    message,
    hint: code === "LOG_VERSION" ? "Go on with the newer cox that wrote it." : whatToDo,
  };
}
