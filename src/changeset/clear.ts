/**
 * What undo could still need and nobody will ask for any more: the saved files of changesets that are old and not among
 * the newest. The ledger and the manifests stay, so that what was done can still be told.
 */
import type { Ledger, Standing } from "./ledger.ts";
import { beforeName, type Room } from "./room.ts";

export interface ClearRule {
  /** So many of the newest keep everything, whatever their age. */
  readonly keep: number;
  /** Wall time in milliseconds: what was prepared before it is old. */
  readonly before: number;
}

export interface Clearable {
  readonly id: string;
  readonly at: string;
  /** Of the saved files. */
  readonly bytes: number;
}

/** Recorded first: what a killed process did not come to is removed the next time. */
export function clear(clearing: {
  readonly room: Room;
  readonly ledger: Ledger;
  readonly rule: ClearRule;
  readonly at: string;
}): Clearable[] {
  const { room, ledger, rule, at } = clearing;
  const old = clearable(room, ledger.standings, rule);
  for (const { id } of old) {
    if (!ledger.standings.get(id)?.isCleared) ledger.record(at, { event: "changeset_cleared", data: { id } });
    dropSaved(room, id);
  }
  return old;
}

/** Oldest first. One that is not ended is never among them. */
export function clearable(
  room: Room,
  standings: ReadonlyMap<string, Standing>,
  { keep, before }: ClearRule,
): Clearable[] {
  const applied = [...standings.values()].filter(({ state }) => state === "applied");
  return applied
    .slice(0, Math.max(0, applied.length - keep))
    .filter(({ at }) => Date.parse(at) < before)
    .flatMap(({ id, at }) => {
      const bytes = savedBytes(room, id);
      return bytes === undefined ? [] : [{ id, at, bytes }];
    });
}

function dropSaved(room: Room, id: string): void {
  const stage = room.openStage(id);
  if (!stage) return;
  const { files } = room.tree;
  try {
    if (files.stat(stage, beforeName)) files.unlink(stage, beforeName);
  } finally {
    files.close(stage);
  }
}

/** Nothing where none are there: a changeset that only made files is taken back without any. */
function savedBytes(room: Room, id: string): number | undefined {
  const stage = room.openStage(id);
  if (!stage) return undefined;
  try {
    return room.tree.files.stat(stage, beforeName)?.size;
  } finally {
    room.tree.files.close(stage);
  }
}
