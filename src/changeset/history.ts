/** What the ledger and the manifests tell of past changesets, as plain data. */

import type { Standing } from "./ledger.ts";
import type { OperationRecord } from "./proposal.ts";
import { type Room, readManifest } from "./room.ts";

export interface ChangesetSummary {
  readonly id: string;
  readonly at: string;
  readonly state: "applied" | "undone" | "taken back" | "unfinished";
  readonly undoes?: string;
  readonly summary?: string;
  /** None when its stage was cleared away. */
  readonly operations: readonly OperationRecord[];
  readonly files: number;
  /** It cannot be taken back any more. */
  readonly cleared?: true;
}

/** Newest last. */
export function history(room: Room, standings: ReadonlyMap<string, Standing>): ChangesetSummary[] {
  const undone = undoneIds(standings);
  return [...standings.values()].map((standing) => {
    const { id, at, files, undoes, isCleared } = standing;
    const about = standing.state === "applied" ? readManifest(room, standing).about : undefined;
    return {
      id,
      at,
      files,
      state: undone.has(id) ? "undone" : inWords[standing.state],
      operations: about?.operations ?? [],
      ...(undoes && { undoes }),
      ...(isCleared && { cleared: isCleared }),
      ...(about?.summary !== undefined && { summary: about.summary }),
    };
  });
}

const inWords = {
  prepared: "unfinished",
  aborted: "unfinished",
  applied: "applied",
  restored: "taken back",
} as const;

/** The ids that another applied changeset took back, unless that one was itself taken back. */
export function undoneIds(standings: ReadonlyMap<string, Standing>): Set<string> {
  const undone = new Set<string>();
  for (const { state, undoes, id } of [...standings.values()].reverse())
    if (state === "applied" && undoes && !undone.has(id)) undone.add(undoes);
  return undone;
}

export interface Figures {
  readonly changesets: number;
  /** Files that committed changesets promised, and those of them that were read back from disk. */
  readonly promised: number;
  readonly persisted: number;
  readonly takenBack: number;
  readonly verificationFailures: number;
}

export function figures(standings: ReadonlyMap<string, Standing>): Figures {
  const all = [...standings.values()];
  const applied = all.filter(({ state }) => state === "applied");
  const restored = all.filter(({ state }) => state === "restored");
  // A changeset that was taken back said so: it broke no promise, so only the others count.
  const kept = all.filter(({ state }) => state !== "restored");
  return {
    changesets: all.length,
    promised: sumFiles(kept),
    persisted: sumFiles(applied),
    takenBack: restored.length,
    verificationFailures: restored.filter(({ reason }) => reason?.startsWith("verification failed")).length,
  };
}

function sumFiles(standings: readonly Standing[]): number {
  return standings.reduce((sum, { files }) => sum + files, 0);
}
