/**
 * The reverse of an applied changeset, as a proposal like any other: it is staged, applied, verified and recorded by
 * the same protocol, and can itself be undone.
 */
import type { Change, Sha256 } from "../change/change.ts";
import type { Problem } from "../std/problem.ts";
import { beforeName, type ChangesetsFolder, readManifest } from "./changesets-folder.ts";
import { undoneIds } from "./history.ts";
import type { ChangesetState } from "./ledger.ts";
import { isThere, lookAtFile } from "./look.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";
import type { LandingFacts, OperationRecord, Proposal } from "./proposal.ts";
import { StageDamaged, undoDamaged } from "./stage-damaged.ts";
import { openRegular, readSaved } from "./staged-image.ts";

export interface UndoInput {
  readonly changesetsFolder: ChangesetsFolder;
  readonly changesets: ReadonlyMap<string, ChangesetState>;
  /** An id or the beginning of one; by default the last changeset that can be undone. */
  readonly wanted: string | undefined;
  readonly id: string;
  /** The caller makes sure that branch and index are as they were. */
  readonly mayBeLanding?: boolean;
}

export function undoProposal(given: UndoInput): { proposal: Proposal } | { problems: Problem[] } {
  const found = choose(given);
  if ("problem" in found) return { problems: [found.problem] };
  try {
    const manifest = readManifest(given.changesetsFolder, found.changeset);
    const { landing } = manifest.about;
    if (landing && !given.mayBeLanding) return { problems: [landed(manifest.id, landing)] };
    const problems = manifest.entries.flatMap(
      (entry) => movedOn(given.changesetsFolder, entry, manifest.id) ?? [],
    );
    return problems.length > 0 ? { problems } : { proposal: reverse(given, manifest) };
  } catch (error) {
    if (error instanceof StageDamaged) return { problems: [error.problem] };
    throw error;
  }
}

function choose({ changesets, wanted }: UndoInput): { changeset: ChangesetState } | { problem: Problem } {
  const undone = undoneIds(changesets);
  const applied = [...changesets.values()].filter(({ state }) => state === "applied");
  if (wanted === undefined) {
    const changeset = applied.findLast(({ id, undoes }) => !undoes && !undone.has(id));
    if (!changeset) return { problem: nothingToUndo() };
    return changeset.isCleared ? { problem: cleared(changeset) } : { changeset };
  }
  const exact = applied.filter(({ id }) => id === wanted);
  const matches = exact.length > 0 ? exact : applied.filter(({ id }) => id.startsWith(wanted));
  const [changeset, another] = matches;
  if (!changeset || another) return { problem: unknown(wanted, matches.length) };
  if (undone.has(changeset.id)) return { problem: already(changeset.id) };
  return changeset.isCleared ? { problem: cleared(changeset) } : { changeset };
}

function movedOn(
  changesetsFolder: ChangesetsFolder,
  { path, post }: ManifestEntry,
  id: string,
): Problem | undefined {
  const look = lookAtFile(changesetsFolder.tree, path, [post]);
  if (look.opened) changesetsFolder.tree.files.close(look.opened.file);
  if (isThere(look, post)) return undefined;
  return {
    code: "UNDO_CHANGED",
    path,
    message: `${path} is no longer as changeset ${id} left it (${look.is === "nothing" ? "it is gone" : "it was changed"})`,
    hint: "Nothing was changed. Put the file back as it was, or undo the change by hand.",
  };
}

function reverse({ changesetsFolder, id }: UndoInput, manifest: Manifest): Proposal {
  const { changes, contents } = reversedChanges(changesetsFolder, manifest);
  const summary = `Undo ${manifest.id}${manifest.about.summary ? `: ${manifest.about.summary}` : ""}`;
  const operations = changes.map((change, index) => operationOf(change, index, manifest.id));
  const { landing } = manifest.about;
  const about = { summary, undoes: manifest.id, operations, ...(landing && { landing }) };
  return { id, changes, contents, emptied: manifest.folders.toReversed(), about };
}

function reversedChanges(
  changesetsFolder: ChangesetsFolder,
  manifest: Manifest,
): { changes: Change[]; contents: Map<Sha256, Uint8Array> } {
  const { files } = changesetsFolder.tree;
  const stage = changesetsFolder.openStage(manifest.id);
  const before = stage && openRegular(files, stage, beforeName);
  try {
    const contents = new Map<Sha256, Uint8Array>();
    const changes = manifest.entries.map((entry): Change => {
      const { path, pre, post } = entry;
      const saved = pre && readSaved(files, before, entry);
      if (pre && !saved) throw undoDamaged(manifest.id, path);
      if (pre && saved) contents.set(pre.sha256, saved);
      return { path, ...(post && { pre: post }), ...(pre && { post: pre }) };
    });
    return { changes, contents };
  } finally {
    if (before) files.close(before);
    if (stage) files.close(stage);
  }
}

function operationOf({ path, pre, post }: Change, index: number, id: string): OperationRecord {
  const operation = !post ? "delete" : pre ? "edit" : "create";
  const description = `Undo what changeset ${id} did to this file`;
  return { index, operation, path, description, ...(post && { bytes: post.size, sha256: post.sha256 }) };
}

function nothingToUndo(): Problem {
  return {
    code: "UNDO_NOTHING",
    message: "there is no applied changeset here to undo",
    hint: "See what was applied: cox undo --list",
  };
}

function unknown(wanted: string, matches: number): Problem {
  return {
    code: "UNDO_UNKNOWN",
    message:
      matches > 1
        ? `${matches} applied changesets begin with ${JSON.stringify(wanted)}`
        : `no applied changeset is called ${JSON.stringify(wanted)}`,
    hint: "See their names: cox undo --list",
  };
}

function already(id: string): Problem {
  return {
    code: "UNDO_ALREADY",
    message: `changeset ${id} was already undone`,
    hint: "To redo it, undo the changeset that undid it: cox undo --list",
  };
}

/**
 * Taking back only the files would leave the commits on the branch, and a checkout that looks as if they were removed
 * by hand.
 */
function landed(id: string, { run, how, from, to }: LandingFacts): Problem {
  const [before, after] = [from.slice(0, 12), to.slice(0, 12)];
  const revert = how === "merge" ? `git revert -m 1 ${after}` : `git revert ${before}..${after}`;
  return {
    code: "UNDO_LANDING",
    message: `changeset ${id} is the landing of the run ${run}: your branch has its commits, so its files alone cannot be undone`,
    hint: `Nothing was changed. Revert all of it: ${revert} – or one task: cox rollback TASK, then cox land. Earlier changesets: cox undo --list`,
  };
}

function cleared({ id, at }: ChangesetState): Problem {
  return {
    code: "UNDO_CLEARED",
    message: `changeset ${id} of ${at.slice(0, 10)} cannot be undone: cox gc removed the earlier versions of its files`,
    hint: "Nothing was changed. Undo it by hand, or restore the file from git: git log -- PATH",
  };
}
