/**
 * Carries a staged changeset out, forward or back: every file, then every folder made durable.
 *
 * Each step first looks whether it is done already, so that it may be killed anywhere and begun again any number
 * of times. It never decides: the ledger says which way, and records when the end is reached.
 */
import { assert } from "../std/assert.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Folder } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import type { Tree } from "../world/tree.ts";
import { Conflict } from "./conflict.ts";
import { exchange, freshName, writeImage } from "./exchange.ts";
import { isAt } from "./look.ts";
import type { Entry, Manifest } from "./manifest.ts";
import type { Watching } from "./proposal.ts";
import { afterName, beforeName, ImageMissing, type Room } from "./room.ts";

/** Throws `Conflict` at the first file that is neither as before nor as afterwards. */
export async function carryForward(room: Room, manifest: Manifest, watching: Watching): Promise<void> {
  const { tree } = room;
  await withStage(room, manifest, ({ stage, after }) => {
    for (const folder of manifest.folders) tree.make(folder);
    for (const [number, { path, pre: from, post: to }] of manifest.entries.entries()) {
      const image = () => ({ folder: after, name: String(number) });
      try {
        exchange({ tree, path, from, to, stage, number, image });
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
        if (to && !tree.files.stat(after, String(number)))
          throw new ImageMissing(manifest.id, `image of ${path}`);
        throw new Conflict(path, from, "nothing");
      }
      if (number % 100 === 99) watching.onProgress?.(number + 1, manifest.entries.length, "written");
    }
    for (const folder of manifest.emptied) removeIfEmpty(tree, folder);
  });
}

/** Leaves alone, and names, the files that somebody changed meanwhile. */
export async function carryBack(room: Room, manifest: Manifest): Promise<string[]> {
  const { tree } = room;
  const left: string[] = [];
  await withStage(room, manifest, ({ stage, before }) => {
    for (const folder of manifest.emptied.toReversed()) tree.make(folder);
    for (const [number, entry] of manifest.entries.entries()) {
      const { path, post: from, pre: to } = entry;
      // Before anything is written: taking back must work on a full disk, too.
      if (isAt(tree, path, to)) continue;
      const image = () => {
        const name = freshName(tree, stage, `old-${number}`);
        writeImage(tree, { folder: stage, name, ...imageBefore(tree, before, entry) });
        return { folder: stage, name };
      };
      try {
        exchange({ tree, path, from, to, stage, number, image });
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        left.push(path);
      }
    }
    for (const folder of manifest.folders.toReversed()) removeIfEmpty(tree, folder);
  });
  return left;
}

/** Reads an image of before out of its pack. */
export function imageBefore(
  tree: Tree,
  before: File | undefined,
  entry: Entry,
): { mode: number; bytes: Uint8Array } {
  assert(entry.pre && entry.offset !== undefined, `${entry.path} was there before`);
  const bytes = before && tree.files.read(before, entry.offset, entry.pre.size);
  if (!bytes || sha256(bytes) !== entry.pre.sha256) throw new ImageMissing(entry.path, "image of before");
  return { mode: entry.pre.mode, bytes };
}

interface Stage {
  readonly stage: Folder;
  readonly after: Folder;
  readonly before: File | undefined;
}

async function withStage(room: Room, manifest: Manifest, work: (open: Stage) => void): Promise<void> {
  const { files } = room.tree;
  const stage = room.openStage(manifest.id);
  if (!stage) throw new ImageMissing(manifest.id, "folder");
  const after = files.openFolder(stage, afterName);
  const before = files.stat(stage, beforeName) && files.open(stage, beforeName, "read");
  try {
    room.tree.release();
    work({ stage, after, before });
    await syncFolders(room.tree, manifest);
  } finally {
    if (before) files.close(before);
    files.close(after);
    files.close(stage);
  }
}

function removeIfEmpty(tree: Tree, path: string): void {
  tree.release();
  const place = tree.parent(path);
  if (!place || tree.files.stat(place.folder, place.name)?.kind !== "folder") return;
  try {
    tree.files.removeFolder(place.folder, place.name);
  } catch (error) {
    if (!["ENOTEMPTY", "ENOENT", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Folders synced at once; each holds a descriptor meanwhile. */
const syncMax = 64;

async function syncFolders(tree: Tree, { folders, emptied, entries }: Manifest): Promise<void> {
  const touched = new Set<string>(folders);
  for (const path of [...folders, ...emptied, ...entries.map(({ path }) => path)]) touched.add(above(path));
  if (touched.delete("")) tree.files.sync(tree.root);
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
