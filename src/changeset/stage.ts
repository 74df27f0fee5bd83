/**
 * Writes down a changeset so that only the disk is needed to carry it out: each image after the change as a file of its
 * own, ready to be linked into place, the images before in one file, and the manifest.
 *
 * The user's tree is not touched. Everything is durable when `stage` returns. The syncs share the disk's flushes, which
 * is what makes a thousand small files affordable.
 */
import type { Change, Contents, Image } from "../change/change.ts";
import { assert } from "../std/assert.ts";
import type { File, Folder } from "../world/files/files.ts";
import { sha256 } from "../world/files/hash.ts";
import type { Tree } from "../world/folders/tree.ts";
import { afterName, beforeName, type ChangesetsFolder, manifestName } from "./changesets-folder.ts";
import { Conflict } from "./conflict.ts";
import { lookAtFile } from "./look.ts";
import { encodeManifest, type Manifest, type ManifestEntry } from "./manifest.ts";
import type { ApplyObserver, Proposal } from "./proposal.ts";
import { ReadBackError } from "./verify.ts";

/** Files open at once while staging: enough to keep the disk busy, far below any limit on descriptors. */
const openMax = 256;

export async function stage(
  changesetsFolder: ChangesetsFolder,
  proposal: Proposal,
  at: string,
  observer: ApplyObserver,
): Promise<StagedChangeset> {
  const { tree } = changesetsFolder;
  const { files } = tree;
  changesetsFolder.dropStage(proposal.id);
  files.makeFolder(changesetsFolder.handle, proposal.id);
  const folder = files.openFolder(changesetsFolder.handle, proposal.id);
  files.makeFolder(folder, afterName);
  const after = files.openFolder(folder, afterName);
  try {
    const entries = await writeBefore(tree, folder, proposal.changes);
    await writeAfter(tree, after, proposal, observer);
    const manifest: Manifest = {
      v: 1,
      id: proposal.id,
      at,
      about: proposal.about,
      folders: foldersMissing(tree, proposal.changes),
      emptied: proposal.emptied ?? [],
      entries,
    };
    const bytes = encodeManifest(manifest);
    const file = files.open(folder, manifestName, "create");
    try {
      files.write(file, bytes);
      await files.syncAll([file, after, folder, changesetsFolder.handle]);
    } finally {
      files.close(file);
    }
    return { manifest, sha256: sha256(bytes) };
  } finally {
    files.close(after);
    files.close(folder);
  }
}

export interface StagedChangeset {
  readonly manifest: Manifest;
  readonly sha256: string;
}

/** Reads each file once more and saves its bytes. If a file is not what the change was made against, it throws. */
async function writeBefore(tree: Tree, folder: Folder, changes: readonly Change[]): Promise<ManifestEntry[]> {
  if (!changes.some(({ pre }) => pre)) return [...changes];
  const pack = tree.files.open(folder, beforeName, "create");
  let offset = 0;
  const entries: ManifestEntry[] = [];
  try {
    for (const change of changes) {
      if (!change.pre) {
        entries.push(change);
        continue;
      }
      tree.files.write(pack, readBefore(tree, change.path, change.pre));
      entries.push({ ...change, offset });
      offset += change.pre.size;
    }
    await tree.files.syncAll([pack]);
  } finally {
    tree.files.close(pack);
  }
  return entries;
}

function readBefore(tree: Tree, path: string, pre: Image): Uint8Array {
  const look = lookAtFile(tree, path, [pre]);
  try {
    if (look.is !== pre || !look.bytes) throw new Conflict(path, pre, look.found);
    return look.bytes;
  } finally {
    if (look.opened) tree.files.close(look.opened.file);
  }
}

async function writeAfter(
  tree: Tree,
  after: Folder,
  proposal: Proposal,
  observer: ApplyObserver,
): Promise<void> {
  const { changes, contents } = proposal;
  for (let start = 0; start < changes.length; start += openMax) {
    observer.signal?.throwIfAborted();
    const written: Written[] = [];
    try {
      for (const [offset, change] of changes.slice(start, start + openMax).entries())
        writeImage(tree, after, { number: start + offset, change, contents, written });
      await tree.files.syncAll(written.map(({ file }) => file));
      for (const one of written) readBack(tree, one);
    } finally {
      for (const { file } of written) tree.files.close(file);
    }
    observer.onProgress?.(Math.min(start + openMax, changes.length), changes.length, "staged");
  }
}

interface Written {
  readonly file: File;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Done before the commit point, so a disk that stores something else costs only the attempt. The bytes are still in
 * memory, and comparing them costs a fraction of hashing what was read.
 */
function readBack(tree: Tree, { file, path, bytes }: Written): void {
  const found = tree.files.read(file, 0, bytes.length + 1);
  if (Buffer.compare(found, bytes) !== 0) throw new ReadBackError(path);
}

interface StageWrite {
  readonly number: number;
  readonly change: Change;
  readonly contents: Contents;
  readonly written: Written[];
}

function writeImage(tree: Tree, after: Folder, { number, change, contents, written }: StageWrite): void {
  if (!change.post) return;
  const bytes = contents.get(change.post.sha256);
  assert(bytes, `the bytes of ${change.path} came with the proposal`);
  const file = tree.files.open(after, String(number), "create");
  written.push({ file, path: change.path, bytes });
  tree.files.write(file, bytes);
  tree.files.chmod(file, change.post.mode);
}

function foldersMissing(tree: Tree, changes: readonly Change[]): string[] {
  const missing = new Set<string>();
  const known = new Set<string>();
  for (const { path, post } of changes) {
    if (!post) continue;
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (known.has(folder)) continue;
      known.add(folder);
      if (!tree.hasFolder(folder)) missing.add(folder);
    }
  }
  return [...missing];
}
