/** Past changesets, as the ledger and the manifests describe them, as plain data. */

import { type ChangesetsFolder, readManifest } from "./changesets-folder.ts";
import type { ChangesetState } from "./ledger.ts";
import type { About, OperationRecord } from "./proposal.ts";
import { StageDamaged } from "./stage-damaged.ts";

export interface ChangesetSummary {
  readonly id: string;
  readonly at: string;
  /** `undone`: by a later changeset. `taken back`: it failed halfway, so its files were put back at once. */
  readonly state: "applied" | "undone" | "taken back" | "unfinished";
  readonly undoes?: string;
  readonly summary?: string;
  /** Empty when its stage is damaged. */
  readonly operations: readonly OperationRecord[];
  readonly files: number;
  /** It can no longer be undone. */
  readonly cleared?: true;
}

/** Newest last. */
export function history(
  changesetsFolder: ChangesetsFolder,
  changesets: ReadonlyMap<string, ChangesetState>,
): ChangesetSummary[] {
  const undone = undoneIds(changesets);
  return [...changesets.values()].map((changeset) => {
    const { id, at, files, undoes, isCleared } = changeset;
    const about = changeset.state === "applied" ? aboutOf(changesetsFolder, changeset) : undefined;
    return {
      id,
      at,
      files,
      state: undone.has(id) ? "undone" : inWords[changeset.state],
      operations: about?.operations ?? [],
      ...(undoes && { undoes }),
      ...(isCleared && { cleared: isCleared }),
      ...(about?.summary !== undefined && { summary: about.summary }),
    };
  });
}

/** Undefined when it can no longer be read: that matters only to somebody who wants to undo it. */
function aboutOf(changesetsFolder: ChangesetsFolder, changeset: ChangesetState): About | undefined {
  try {
    return readManifest(changesetsFolder, changeset).about;
  } catch (error) {
    if (error instanceof StageDamaged) return undefined;
    throw error;
  }
}

const inWords = {
  prepared: "unfinished",
  aborted: "unfinished",
  applied: "applied",
  restored: "taken back",
} as const;

/** The ids that another applied changeset undid, unless that one was itself undone. */
export function undoneIds(changesets: ReadonlyMap<string, ChangesetState>): Set<string> {
  const undone = new Set<string>();
  for (const { state, undoes, id } of [...changesets.values()].reverse())
    if (state === "applied" && undoes && !undone.has(id)) undone.add(undoes);
  return undone;
}

export interface ChangesetFigures {
  readonly changesets: number;
  /** Files promised by committed changesets, and how many of them were read back from disk. */
  readonly promised: number;
  readonly persisted: number;
  readonly takenBack: number;
  readonly verificationFailures: number;
}

export function figures(changesets: ReadonlyMap<string, ChangesetState>): ChangesetFigures {
  const all = [...changesets.values()];
  const applied = all.filter(({ state }) => state === "applied");
  const restored = all.filter(({ state }) => state === "restored");
  // A changeset that was taken back said so and broke no promise, so only the others count.
  const kept = all.filter(({ state }) => state !== "restored");
  return {
    changesets: all.length,
    promised: sumFiles(kept),
    persisted: sumFiles(applied),
    takenBack: restored.length,
    verificationFailures: restored.filter(({ reason }) => reason?.startsWith("verification failed")).length,
  };
}

function sumFiles(changesets: readonly ChangesetState[]): number {
  return changesets.reduce((sum, { files }) => sum + files, 0);
}
