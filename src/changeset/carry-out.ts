/**
 * Carries out a staged changeset, forward or back: every file first, then every folder made durable.
 *
 * Each step first checks whether it is already done, so it may be killed anywhere and started again any number of
 * times. It never decides anything: the ledger says which direction to go, and records when the end is reached.
 */
import { errnoOf } from "../world/files/errno.ts";
import type { File, Folder } from "../world/files/files.ts";
import type { Tree } from "../world/folders/tree.ts";
import { afterName, beforeName, type ChangesetsFolder, manifestName } from "./changesets-folder.ts";
import { Conflict } from "./conflict.ts";
import { exchange, freshName, writeImage } from "./exchange.ts";
import { isAt } from "./look.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";
import type { ApplyObserver } from "./proposal.ts";
import { afterDamaged, beforeDamaged, manifestDamaged, StageDamaged } from "./stage-damaged.ts";
import { openRegular, readSaved } from "./staged-image.ts";

/**
 * Throws `Conflict` at the first file that matches neither its image before nor its image after, and `StageDamaged` at
 * the first file to place that is not in the stage as the manifest says.
 */
export async function carryForward(
  changesetsFolder: ChangesetsFolder,
  manifest: Manifest,
  observer: ApplyObserver,
): Promise<void> {
  const { tree } = changesetsFolder;
  await withStage(changesetsFolder, manifest, ({ stage, after }) => {
    for (const folder of manifest.folders) tree.make(folder);
    for (const [number, { path, pre: from, post: to }] of manifest.entries.entries()) {
      const name = String(number);
      const damaged = () => afterDamaged(manifest.id, path, `${afterName}/${name}`);
      const image = () => after && { folder: after, name };
      try {
        exchange({ tree, path, from, to, stage, number, image, damaged });
      } catch (error) {
        throw errnoOf(error) === "ENOENT" ? new Conflict(path, from, "nothing") : error;
      }
      if (number % 100 === 99) observer.onProgress?.(number + 1, manifest.entries.length, "written");
    }
    for (const folder of manifest.emptied) removeIfEmpty(tree, folder);
  });
}

/**
 * Returns the files that somebody changed meanwhile, which it leaves alone. Throws `StageDamaged` if some files could
 * not be put back because their saved copies are missing or damaged; all the others are back by then.
 */
export async function carryBack(
  changesetsFolder: ChangesetsFolder,
  manifest: Manifest,
): Promise<ManifestEntry[]> {
  const { tree } = changesetsFolder;
  const left: ManifestEntry[] = [];
  const lost: string[] = [];
  await withStage(changesetsFolder, manifest, ({ stage, before }) => {
    for (const folder of manifest.emptied.toReversed()) tree.make(folder);
    for (const [number, entry] of manifest.entries.entries()) {
      const { path, post: from, pre: to } = entry;
      // Check before writing anything: undoing must work on a full disk, too.
      if (isAt(tree, path, to)) continue;
      const damaged = () => beforeDamaged(manifest.id, [path]);
      const image = () => {
        const bytes = readSaved(tree.files, before, entry);
        if (!bytes || !to) return undefined;
        const name = freshName(tree, stage, `old-${number}`);
        writeImage(tree, { folder: stage, name, mode: to.mode, bytes });
        return { folder: stage, name };
      };
      try {
        exchange({ tree, path, from, to, stage, number, image, damaged });
      } catch (error) {
        if (error instanceof Conflict) left.push(entry);
        else if (error instanceof StageDamaged) lost.push(path);
        else throw error;
      }
    }
    for (const folder of manifest.folders.toReversed()) removeIfEmpty(tree, folder);
  });
  if (lost.length > 0) throw beforeDamaged(manifest.id, lost);
  return left;
}

interface Stage {
  readonly stage: Folder;
  /** Undefined when damaged; reported only if it is needed. */
  readonly after: Folder | undefined;
  /** Undefined when missing or damaged. */
  readonly before: File | undefined;
}

async function withStage(
  changesetsFolder: ChangesetsFolder,
  manifest: Manifest,
  work: (open: Stage) => void,
): Promise<void> {
  const { files } = changesetsFolder.tree;
  const stage = changesetsFolder.openStage(manifest.id);
  if (!stage) throw manifestDamaged(manifest.id, manifestName);
  let after: Folder | undefined;
  let before: File | undefined;
  try {
    if (files.stat(stage, afterName)?.kind === "folder") after = files.openFolder(stage, afterName);
    before = openRegular(files, stage, beforeName);
    changesetsFolder.tree.release();
    work({ stage, after, before });
    await syncFolders(changesetsFolder.tree, manifest);
  } finally {
    if (before) files.close(before);
    if (after) files.close(after);
    files.close(stage);
  }
}

function removeIfEmpty(tree: Tree, path: string): void {
  tree.release();
  tree.withParent(path, ({ folder, name }) => {
    if (tree.files.stat(folder, name)?.kind !== "folder") return;
    try {
      tree.files.removeFolder(folder, name);
    } catch (error) {
      if (!["ENOTEMPTY", "ENOENT", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
    }
  });
}

/** Folders synced at once; each holds a descriptor meanwhile. */
const syncMax = 64;

async function syncFolders(tree: Tree, { folders, emptied, entries }: Manifest): Promise<void> {
  const touched = new Set<string>(folders);
  for (const path of [...folders, ...emptied, ...entries.map(({ path }) => path)]) touched.add(above(path));
  if (touched.delete("")) tree.withFolder("", (root) => tree.files.sync(root));
  const paths = [...touched];
  for (let start = 0; start < paths.length; start += syncMax) {
    const open = paths.slice(start, start + syncMax).flatMap((path) => tree.openFolder(path) ?? []);
    try {
      await tree.files.syncAll(open);
    } finally {
      for (const folder of open) tree.files.close(folder);
    }
  }
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
