/**
 * `progress.md`: what was done to the files, for people to read, with one entry per changeset and one per delete.
 *
 * It is only a view: the ledger and the manifests are the truth, so a line that could not be written here loses
 * nothing.
 */
import { deleteEntry, type EntryOutcome, progressEntry } from "../change/progress-entry.ts";
import type { Manifest } from "./manifest.ts";
import type { About } from "./proposal.ts";

export const progressName = "progress.md";

export interface ChangesetEnd {
  readonly manifest: Manifest;
  readonly at: string;
  /** Why it was undone; missing when it was applied. */
  readonly failure?: string;
}

export function progressEntries({ manifest, at, failure }: ChangesetEnd): string {
  const { about, id } = manifest;
  const who = whoAndWhat(about);
  const outcome: EntryOutcome = failure === undefined ? { is: "done" } : { is: "failed", why: failure };
  const deletes = deleteEntries(about, at);
  const entry = progressEntry({
    at,
    ...who,
    facts: [["Changeset", `${id}${about.undoes ? ` (undoes ${about.undoes})` : ""}`]],
    outcome,
    operations: about.operations.map((operation, position) => ({
      ...operation,
      number: position + 1,
      place: "disk",
    })),
    total: about.operations.length,
  });
  return `${deletes}${entry}`;
}

export function deleteEntries(about: Omit<About, "operations">, at: string): string {
  const who = whoAndWhat(about);
  return (about.deletes ?? []).map((one) => deleteEntry({ at, ...who, ...one })).join("");
}

function whoAndWhat({ specialist = "cox apply", task, summary }: Omit<About, "operations">) {
  return { specialist, task: task ?? summary ?? "(none given)" };
}
