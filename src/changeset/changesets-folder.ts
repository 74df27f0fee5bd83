/**
 * `.coxswain/changesets/`: the ledger, the lock, and a folder for each changeset with its manifest and images.
 *
 * It is inside the root, so that it is on the same file system as the user's files, and it ignores itself, so that none
 * of it shows up in the user's git.
 */
import { assert } from "../std/assert.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { Folder } from "../world/files/files.ts";
import { sha256 } from "../world/files/hash.ts";
import type { Tree } from "../world/folders/tree.ts";
import type { ChangesetState } from "./ledger.ts";
import { decodeManifest, type Manifest } from "./manifest.ts";
import { changesetsPath, manifestDamaged } from "./stage-damaged.ts";
import { openRegular } from "./staged-image.ts";

const ownPath = ".coxswain";

export class ChangesetsFolder {
  private constructor(
    readonly tree: Tree,
    readonly handle: Folder,
  ) {}

  static async openOrMake(tree: Tree): Promise<ChangesetsFolder> {
    const changesetsFolder = ChangesetsFolder.open(tree) ?? ChangesetsFolder.#make(tree);
    if (!changesetsFolder.#isFinished()) await changesetsFolder.#finish();
    return changesetsFolder;
  }

  /** Undefined when no changeset was ever applied here. */
  static open(tree: Tree): ChangesetsFolder | undefined {
    const folder = tree.openFolder(changesetsPath);
    return folder && new ChangesetsFolder(tree, folder);
  }

  static #make(tree: Tree): ChangesetsFolder {
    tree.make(ownPath);
    tree.make(changesetsPath);
    const changesetsFolder = ChangesetsFolder.open(tree);
    assert(changesetsFolder, "the folder is there after it was made");
    return changesetsFolder;
  }

  /**
   * The ignore file is made last. If it is missing, the process that made the folder was killed or is not done yet. A
   * power cut could then remove the folder, together with the ledger of a half-done changeset.
   */
  #isFinished(): boolean {
    const ignore = this.tree.files.stat(this.handle, ignoreName);
    return ignore !== undefined && ignore.size > 0;
  }

  /** Two processes may do this at once; ignoring everything twice does no harm. */
  async #finish(): Promise<void> {
    const { files } = this.tree;
    const own = this.tree.openFolder(ownPath);
    assert(own, "the folder above it is there");
    try {
      await this.tree.withFolder("", (root) => files.syncAll([root, own, this.handle]));
    } finally {
      files.close(own);
    }
    const ignore = files.open(this.handle, ignoreName, "append");
    try {
      files.write(ignore, encodeUtf8("*\n"));
    } finally {
      files.close(ignore);
    }
  }

  /** The ids that have a folder here. */
  stages(): string[] {
    const { files } = this.tree;
    return files.list(this.handle).filter((name) => files.stat(this.handle, name)?.kind === "folder");
  }

  openStage(id: string): Folder | undefined {
    try {
      return this.tree.files.openFolder(this.handle, id);
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
      throw error;
    }
  }

  /** Size of the saved files from before a changeset; undefined when none are kept. */
  savedBytes(id: string): number | undefined {
    const stage = this.openStage(id);
    if (!stage) return undefined;
    try {
      return this.tree.files.stat(stage, beforeName)?.size;
    } finally {
      this.tree.files.close(stage);
    }
  }

  /** Removes a changeset's folder; parts that are already gone are no problem. */
  dropStage(id: string): void {
    const stage = this.openStage(id);
    if (!stage) return;
    try {
      this.#dropAfterImages(stage);
      emptyOut(this.tree, stage);
    } finally {
      this.tree.files.close(stage);
    }
    this.tree.files.removeFolder(this.handle, id);
  }

  /**
   * Removes everything that an undo does not need: the images after the change, which once applied are second names of
   * the user's files, and leftovers that a killed process was about to remove.
   */
  dropAllButUndo(stage: Folder): void {
    const { files } = this.tree;
    this.#dropAfterImages(stage);
    for (const name of files.list(stage))
      if (name !== beforeName && name !== manifestName) files.unlink(stage, name);
  }

  #dropAfterImages(stage: Folder): void {
    const { files } = this.tree;
    if (files.stat(stage, afterName)?.kind !== "folder") return;
    const after = files.openFolder(stage, afterName);
    try {
      emptyOut(this.tree, after);
    } finally {
      files.close(after);
    }
    files.removeFolder(stage, afterName);
  }

  close(): void {
    this.tree.files.close(this.handle);
  }
}

const ignoreName = ".gitignore";
export const afterName = "after";
export const beforeName = "before";
export const manifestName = "manifest.json";

/** What a changeset consists of, confirmed by the hash in the ledger. */
export function readManifest(changesetsFolder: ChangesetsFolder, { id, manifest }: ChangesetState): Manifest {
  const { files } = changesetsFolder.tree;
  const stage = changesetsFolder.openStage(id);
  if (!stage) throw manifestDamaged(id, manifestName);
  try {
    const file = openRegular(files, stage, manifestName);
    if (!file) throw manifestDamaged(id, manifestName);
    try {
      const bytes = files.read(file, 0, files.statOf(file).size);
      if (sha256(bytes) !== manifest) throw manifestDamaged(id, manifestName);
      return decodeManifest(bytes);
    } finally {
      files.close(file);
    }
  } finally {
    files.close(stage);
  }
}

/** Ids become folder names, next to the few files of the changesets folder. */
export function isChangesetId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(id) && id !== "lock";
}

/** We never make a folder in it. If somebody else did, unlinking it fails, so nothing of theirs is lost. */
function emptyOut(tree: Tree, folder: Folder): void {
  for (const name of tree.files.list(folder)) tree.files.unlink(folder, name);
}
