/**
 * Commits one change in a crash-safe order. The new contents and the log record are written and synced together; then
 * the documents are checked once more; then each document gets its new content in one step; then its name is synced.
 *
 * A crash before the record is durable leaves everything as it was. After that point, the next writer finishes the
 * change from the record alone. One gap remains: if somebody saves a document between the last check and the renames,
 * which follow at once, their version is replaced.
 */

import type { Author, ChangeSummary } from "../document/store.ts";
import type { Revision } from "../document/text/revise.ts";
import { LockLost } from "../durable/lock.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import { errnoOf } from "../world/files/errno.ts";
import { newFileMode } from "../world/files/new-file-mode.ts";
import { changeEntry, withdrawalEntry } from "./record.ts";
import { filePath, type Shelf, settledTime } from "./shelf.ts";
import { type Placement, Staging } from "./staging.ts";
import { withWayOut } from "./store-hint.ts";
import type { WriteSession } from "./write-session.ts";

export interface DocumentChange {
  readonly by: Author;
  readonly done: ChangeSummary;
  readonly at: string;
  readonly revisions: readonly Revision[];
}

/** Returns false, and changes nothing, if somebody else wrote one of the documents in the meantime. */
export async function commit(turn: WriteSession, shelf: Shelf, change: DocumentChange): Promise<boolean> {
  const { revisions } = change;
  const placements = revisions.map((revision) => placementOf(turn, revision));
  const staging = stage(turn, placements);
  try {
    const record = await writeDown(turn, staging, change);
    const isPut = orWithdrawn(turn, { staging, record }, () => {
      staging.makeFolders();
      return revisions.every((revision) => isStillSo(shelf, revision)) && staging.putInPlace();
    });
    if (!isPut) {
      withdraw(turn, record);
      return false;
    }
    await turn.folders.sync(revisions.map(({ path }) => path));
    turn.head.move(turn.log.place);
    keep(shelf, staging, revisions);
    return true;
  } finally {
    staging.discard();
  }
}

/** Identifies a record by its number and checksum; no other record has both. */
export interface RecordName {
  readonly seq: number;
  readonly sum: string;
}

/**
 * The lock was removed in mid-change, which ended our write session. Somebody else may finish or withdraw the change.
 */
export class Unsettled extends Error {
  override name = "Unsettled";

  /** `record` is missing if nothing was recorded yet. */
  constructor(readonly record?: RecordName) {
    super("the lock of the documents was removed while we held it");
  }
}

function placementOf({ tree, clock }: WriteSession, { path, before, after }: Revision): Placement {
  const replaced = before && tree.stat(filePath(path));
  const mode = replaced?.mode ?? newFileMode();
  const modifiedMs = settledTime(clock.now(), replaced);
  return { path, isNew: !before, mode, modifiedMs, ...(after && { encoded: after.encoded }) };
}

function stage(turn: WriteSession, placements: readonly Placement[]): Staging {
  try {
    return Staging.write(turn, placements, () => turn.newName());
  } catch (error) {
    // Somebody removed the room together with the lock. The next write session creates it again.
    throw errnoOf(error) === "ENOENT" && !turn.lock.isStillOurs() ? new Unsettled() : error;
  }
}

async function writeDown(turn: WriteSession, staging: Staging, change: DocumentChange): Promise<RecordName> {
  const { log, lock, tree } = turn;
  let record: RecordName | undefined;
  try {
    const { first, sums } = log.enqueue([changeEntry(change.by, change.done, change.revisions)], {
      at: change.at,
    });
    record = { seq: first, sum: sums[0] ?? "" };
    // Wait for both to end, whatever the result, before anything is closed.
    const ends = await Promise.allSettled([tree.files.syncAll(staging.handles), log.durable()]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    if (!lock.isStillOurs()) throw new LockLost();
    return record;
  } catch (error) {
    const isLost = error instanceof LockLost || (error instanceof LogDamaged && error.code === "LOG_FOREIGN");
    throw isLost ? new Unsettled(record) : withWayOut(error);
  }
}

function isStillSo(shelf: Shelf, { path, before }: Revision): boolean {
  const { document, problem } = shelf.read(path);
  if (problem) return false;
  return document === before || (before !== undefined && document?.hash === before.hash);
}

/** If the very first document cannot be written, nothing has changed, so the record must be withdrawn. */
function orWithdrawn(
  turn: WriteSession,
  { staging, record }: { readonly staging: Staging; readonly record: RecordName },
  work: () => boolean,
): boolean {
  try {
    return work();
  } catch (error) {
    if (staging.isUntouched) withdraw(turn, record);
    throw error;
  }
}

function withdraw({ log, head, now }: WriteSession, { seq }: RecordName): void {
  log.append([withdrawalEntry(seq)], { at: now() });
  head.move(log.place);
}

function keep(shelf: Shelf, staging: Staging, revisions: readonly Revision[]): void {
  const stats = new Map(staging.stats().map(({ path, stat }) => [path, stat]));
  for (const { path, after } of revisions) {
    const stat = stats.get(path);
    if (after && stat) shelf.keep(after, stat);
    else shelf.forget(path);
  }
}
