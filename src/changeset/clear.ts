/**
 * Removes saved files that undo could use but nobody is likely to ask for: those of changesets that are old and not
 * among the newest. The ledger and the manifests stay, so the history can still be shown.
 */

import { beforeName, type ChangesetsFolder } from "./changesets-folder.ts";
import type { ChangesetState, Ledger } from "./ledger.ts";

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
  readonly changesetsFolder: ChangesetsFolder;
  readonly ledger: Ledger;
  readonly rule: ClearRule;
  readonly at: string;
}): Clearable[] {
  const { changesetsFolder, ledger, rule, at } = clearing;
  const old = clearable(changesetsFolder, ledger.changesets, rule);
  for (const { id } of old) {
    if (!ledger.changesets.get(id)?.isCleared)
      ledger.record(at, { event: "changeset_cleared", data: { id } });
    dropSaved(changesetsFolder, id);
  }
  return old;
}

/**
 * Oldest first. Unfinished changesets are never included. One that was taken back is included only if some files were
 * left alone, because then their earlier versions are kept.
 */
export function clearable(
  changesetsFolder: ChangesetsFolder,
  changesets: ReadonlyMap<string, ChangesetState>,
  { keep, before }: ClearRule,
): Clearable[] {
  const ended = [...changesets.values()].filter(({ state, left }) => state === "applied" || left);
  return ended
    .slice(0, Math.max(0, ended.length - keep))
    .filter(({ at }) => Date.parse(at) < before)
    .flatMap(({ id, at }) => {
      const bytes = changesetsFolder.savedBytes(id);
      return bytes === undefined ? [] : [{ id, at, bytes }];
    });
}

function dropSaved(changesetsFolder: ChangesetsFolder, id: string): void {
  const stage = changesetsFolder.openStage(id);
  if (!stage) return;
  const { files } = changesetsFolder.tree;
  try {
    if (files.stat(stage, beforeName)) files.unlink(stage, beforeName);
  } finally {
    files.close(stage);
  }
}
