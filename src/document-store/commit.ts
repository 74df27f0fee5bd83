/**
 * One change, in the order that makes it safe: contents and record are written and made durable together, then the
 * documents are looked at once more, then each gets its new content in one step, then its name is made durable.
 *
 * A crash before the record is durable leaves all as it was; after it, whoever comes next finishes the change from the
 * record alone. One instant is beyond us: a document that somebody saves between the last look and the renames, which
 * follow at once, is replaced.
 */

import type { Revision } from "../document/revise.ts";
import type { Author, Done } from "../document/store.ts";
import { LockLost } from "../durable/lock.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import { errnoOf } from "../world/errno.ts";
import { newFileMode } from "../world/new-file-mode.ts";
import { changeEntry, withdrawalEntry } from "./record.ts";
import { filePath, type Shelf, settledTime } from "./shelf.ts";
import { type Placement, Staging } from "./staging.ts";
import type { Turn } from "./turn.ts";
import { withWayOut } from "./what-to-do.ts";

export interface Change {
  readonly by: Author;
  readonly done: Done;
  readonly at: string;
  readonly revisions: readonly Revision[];
}

/** False when somebody else wrote one of the documents meanwhile: then nothing is changed. */
export async function commit(turn: Turn, shelf: Shelf, change: Change): Promise<boolean> {
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

/** A record by its number and checksum: no other one has both. */
export interface RecordName {
  readonly seq: number;
  readonly sum: string;
}

/** Our turn ended in the midst of a change, since the lock was removed: somebody else may finish or withdraw it. */
export class Unsettled extends Error {
  override name = "Unsettled";

  /** `record` is missing when nothing was written down yet. */
  constructor(readonly record?: RecordName) {
    super("the lock of the documents was removed while we held it");
  }
}

function placementOf({ tree, clock }: Turn, { path, before, after }: Revision): Placement {
  const replaced = before && tree.stat(filePath(path));
  const mode = replaced?.mode ?? newFileMode();
  const modifiedMs = settledTime(clock.now(), replaced);
  return { path, isNew: !before, mode, modifiedMs, ...(after && { encoded: after.encoded }) };
}

function stage(turn: Turn, placements: readonly Placement[]): Staging {
  try {
    return Staging.write(turn, placements, () => turn.newName());
  } catch (error) {
    // Somebody removed the room, and the lock with it: it is made anew with the next turn.
    throw errnoOf(error) === "ENOENT" && !turn.lock.isStillOurs() ? new Unsettled() : error;
  }
}

async function writeDown(turn: Turn, staging: Staging, change: Change): Promise<RecordName> {
  const { log, lock, tree } = turn;
  let record: RecordName | undefined;
  try {
    const { first, sums } = log.enqueue([changeEntry(change.by, change.done, change.revisions)], {
      at: change.at,
    });
    record = { seq: first, sum: sums[0] ?? "" };
    // Both have ended before anything is closed, however they ended.
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

/** A refusal of the first document leaves all as it was: then the record must not stay. */
function orWithdrawn(
  turn: Turn,
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

function withdraw({ log, head, now }: Turn, { seq }: RecordName): void {
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
