/**
 * Removes saved files that undo could use but nobody is likely to ask for: those of changesets that are old and not
 * among the newest. The ledger and the manifests stay, so the history can still be shown.
 */
import type { ChangesetState, Ledger } from "./ledger.ts";
import { beforeName, type Room } from "./room.ts";

export interface ClearRule {
  /** This many of the newest changesets keep everything, whatever their age. */
  readonly keep: number;
  /** Wall time in milliseconds: changesets prepared before it are old. */
  readonly before: number;
}

export interface Clearable {
  readonly id: string;
  readonly at: string;
  /** Size of the saved files. */
  readonly bytes: number;
}

/** Recorded first, so that the next call removes what a killed process did not get to. */
export function clear(clearing: {
  readonly room: Room;
  readonly ledger: Ledger;
  readonly rule: ClearRule;
  readonly at: string;
}): Clearable[] {
  const { room, ledger, rule, at } = clearing;
  const old = clearable(room, ledger.changesets, rule);
  for (const { id } of old) {
    if (!ledger.changesets.get(id)?.isCleared)
      ledger.record(at, { event: "changeset_cleared", data: { id } });
    dropSaved(room, id);
  }
  return old;
}

/**
 * Oldest first. Unfinished changesets are never included. One that was taken back is included only if some files were
 * left alone, because then their earlier versions are kept.
 */
export function clearable(
  room: Room,
  changesets: ReadonlyMap<string, ChangesetState>,
  { keep, before }: ClearRule,
): Clearable[] {
  const ended = [...changesets.values()].filter(({ state, left }) => state === "applied" || left);
  return ended
    .slice(0, Math.max(0, ended.length - keep))
    .filter(({ at }) => Date.parse(at) < before)
    .flatMap(({ id, at }) => {
      const bytes = room.savedBytes(id);
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
