/**
 * Implements `cox log --documents --repair`: writes a new log with every record that can still be read, in the old
 * order, and a record for each gap. The old log is kept under another name.
 *
 * The documents are not touched. Only unreadable records are lost, and only with consent. A crash at any moment leaves
 * either the repaired log or a damaged one that can be repaired again.
 */

import type { Author } from "../document/store.ts";
import { Bookmark } from "../durable/bookmark.ts";
import { guard } from "../durable/guard.ts";
import type { LogDamaged } from "../durable/log-damaged.ts";
import { encodeAppend } from "../durable/log-line.ts";
import { keepBeforeRepair, type Repaired, soundLog, type UnseenRecords } from "../durable/repaired.ts";
import { replaceFileNow } from "../durable/replace-file.ts";
import { beginning, type LogPosition } from "../durable/scan.ts";
import { takeLock } from "../durable/take-lock.ts";
import { counted } from "../std/counted.ts";
import { size } from "../std/size.ts";
import { encodeUtf8, utf8Length } from "../std/utf8.ts";
import type { Chance } from "../world/chance.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { Tree } from "../world/folders/tree.ts";
import { changeEntry, recordVersion, understands, withdrawalEntry, withdrawnIn } from "./record.ts";
import { type Gap, type Salvage, salvage } from "./salvage-log.ts";
import { roomNames, StoreRoom } from "./store-room.ts";
import { damageOf, type InspectedHistory, inspectHistory } from "./verify-history.ts";

export interface HistoryRepair {
  readonly files: Files;
  /** The repository. */
  readonly root: string;
  readonly chance: Chance;
  /** Who repairs, and when; goes into the log. */
  readonly by: Author;
  readonly at: string;
  /** Whether the losses are accepted. Without consent nothing is changed. */
  readonly consent: boolean;
}

export interface HistoryLosses {
  /** How many records are kept. */
  readonly records: number;
  /** Lines and bytes that cannot be read. */
  readonly lines: number;
  readonly bytes: number;
  readonly unseen?: UnseenRecords;
}

/** A writer releases the lock after a moment. */
const waitMs = 10_000;

export async function repairHistory(repair: HistoryRepair): Promise<Repaired<HistoryLosses>> {
  const files = guard(repair.files);
  const tree = Tree.open(files, repair.root);
  const folder = StoreRoom.peek(tree);
  try {
    if (!folder) return { outcome: "refused", problem: sound };
    const where = "these documents";
    const lock = await takeLock({ files, folder, name: roomNames.lock, waitMs, where });
    try {
      return await repairIn(files, folder, repair);
    } finally {
      lock.release();
    }
  } finally {
    if (folder) files.close(folder);
    tree.close();
  }
}

async function repairIn(
  files: Files,
  folder: Folder,
  repair: HistoryRepair,
): Promise<Repaired<HistoryLosses>> {
  const inspected = inspectHistory(files, folder);
  const damage = damageOf(inspected);
  if (!damage) return { outcome: "refused", problem: sound };
  const saved = salvage(inspected.bytes, inspected.scanned.end.log);
  const strange = saved.records.find((record) => !understands(record));
  if (strange || !repairable.has(damage.code)) return { outcome: "refused", problem: damage };
  const losses = lossesOf(saved, inspected);
  if (!repair.consent) return { outcome: "consent needed", damage, losses };
  const kept = keepBeforeRepair({ files, folder, ...roomNames, bytes: inspected.bytes });
  const { text, places } = newLog(saved, { ...repair, losses, kept: kept[0] ?? "" });
  // A crash here leaves a bookmark for a log that does not exist yet. That counts as damage and can be repaired again.
  await moveHead(files, folder, isLastDone(saved, inspected) ? places.at(-1) : places.at(-2));
  replaceFileNow({ files, folder, name: roomNames.log, bytes: encodeUtf8(text) });
  files.sync(folder);
  return { outcome: "repaired", losses, kept };
}

const repairable: ReadonlySet<string> = new Set([
  "LOG_CORRUPT",
  "LOG_LOST_TAIL",
] satisfies LogDamaged["code"][]);

const sound = soundLog("The next change sets a torn end aside, if there is one.");

function lossesOf({ records, gaps }: Salvage, { place, scanned }: InspectedHistory): HistoryLosses {
  const last = Math.max(0, ...records.map(({ seq }) => seq));
  const isAhead = isOurs(place, scanned.end) && place.seq > last;
  return {
    records: records.length,
    lines: gaps.reduce((sum, { lines }) => sum + lines, 0),
    bytes: gaps.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(isAhead && { unseen: { first: last + 1, last: place.seq } }),
  };
}

/**
 * Whether the last kept change needs no finishing. A change that others followed was finished before they were made;
 * applying it again could undo them.
 */
function isLastDone({ gaps, records }: Salvage, { place, scanned }: InspectedHistory): boolean {
  const last = records.at(-1);
  const isEndLost = gaps.at(-1)?.behind === records.length;
  if (!last || isEndLost) return true;
  // A bookmark of another log was left by a repair that crashed; what it knew is lost.
  return place !== undefined && (!isOurs(place, scanned.end) || place.seq >= last.seq);
}

function isOurs(place: LogPosition | undefined, end: LogPosition): place is LogPosition {
  return place !== undefined && (place.log === undefined || end.log === undefined || place.log === end.log);
}

interface Anew extends Pick<HistoryRepair, "chance" | "by" | "at"> {
  readonly losses: HistoryLosses;
  /** The new name of the old log. */
  readonly kept: string;
}

/** The text, and the position after each of its records, starting with the beginning of the file. */
function newLog({ records, gaps }: Salvage, { chance, by, at, losses, kept }: Anew) {
  const log = chance.id(10);
  const places: LogPosition[] = [{ ...beginning, log }];
  const numbers = new Map<number, number>();
  const fences = new Map<number, number>();
  let text = "";
  const put = (one: { v: number; at: string; fence: number; event: string; data: unknown }) => {
    const { offset, seq: before, sum: prev } = places.at(-1) ?? beginning;
    const seq = before + 1;
    const append = { v: one.v, log, at: one.at, t: undefined, fence: one.fence, batch: [seq, seq] as const };
    const { text: line, sums } = encodeAppend(append, [one], prev);
    places.push({ offset: offset + utf8Length(line), seq, sum: sums[0] ?? "", log });
    text += line;
  };
  const putGap = (lost: string) => {
    const about = `${lost} of the log could not be read; what was there is kept as ${kept}`;
    const entry = changeEntry(by, { tool: "cox log --documents --repair", about }, []);
    put({ v: recordVersion, at, fence: places.length, ...entry });
  };
  records.forEach((record, index) => {
    for (const gap of gaps) if (gap.behind === index) putGap(gapWords(gap));
    const seq = places.length;
    numbers.set(record.seq, seq);
    fences.set(record.fence, fences.get(record.fence) ?? seq);
    const withdrawn = withdrawnIn(record);
    // The record that it withdraws may be lost; then there is nothing to withdraw.
    const { data } = withdrawn === undefined ? record : withdrawalEntry(numbers.get(withdrawn) ?? 0);
    put({ ...record, data, fence: fences.get(record.fence) ?? seq });
  });
  for (const gap of gaps) if (gap.behind === records.length) putGap(gapWords(gap));
  if (losses.unseen) putGap(`records ${losses.unseen.first} to ${losses.unseen.last}`);
  return { text, places };
}

function gapWords({ lines, bytes }: Gap): string {
  return `${counted(lines, "line")} (${size(bytes)})`;
}

async function moveHead(files: Files, folder: Folder, place: LogPosition | undefined): Promise<void> {
  const head = Bookmark.open(files, folder, roomNames.head);
  try {
    if (place) head.move(place);
    await head.sync();
  } finally {
    head.close();
  }
}
