/**
 * `.coxswain/changesets/`: the ledger, the lock, and a folder for each changeset with its manifest and images.
 *
 * It lies inside the root so that it is on the same file system as the files it serves, and ignores itself, so
 * that nothing of it shows up in the user's git.
 */
import { assert } from "../std/assert.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { Folder } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import type { Tree } from "../world/tree.ts";
import type { Standing } from "./ledger.ts";
import { decodeManifest, type Manifest } from "./manifest.ts";

const roomPath = ".coxswain/changesets";

export class Room {
  private constructor(
    readonly tree: Tree,
    readonly folder: Folder,
  ) {}

  static async openOrMake(tree: Tree): Promise<Room> {
    const room = Room.open(tree) ?? Room.#make(tree);
    if (!room.#isFinished()) await room.#finish();
    return room;
  }

  /** Nothing when no changeset was ever applied here. */
  static open(tree: Tree): Room | undefined {
    const own = tree.folder(".coxswain");
    if (!own || !tree.folder(roomPath)) return undefined;
    return new Room(tree, tree.files.openFolder(own, "changesets"));
  }

  static #make(tree: Tree): Room {
    const own = tree.make(".coxswain");
    tree.make(roomPath);
    return new Room(tree, tree.files.openFolder(own, "changesets"));
  }

  /**
   * The last thing that is made. Without it the process that made the room was killed meanwhile, or is still at it,
   * and a power cut could take the room away, with the ledger of a changeset that is half done.
   */
  #isFinished(): boolean {
    const ignore = this.tree.files.stat(this.folder, ignoreName);
    return ignore !== undefined && ignore.size > 0;
  }

  /** Two processes may do this at once: to ignore everything twice is no harm. */
  async #finish(): Promise<void> {
    const { files, root } = this.tree;
    const own = this.tree.folder(".coxswain");
    assert(own, "the folder above the room is there");
    await files.syncAll([root, own, this.folder]);
    const ignore = files.open(this.folder, ignoreName, "append");
    try {
      files.write(ignore, encodeUtf8("*\n"));
    } finally {
      files.close(ignore);
    }
  }

  /** The ids that have a folder here. */
  stages(): string[] {
    const { files } = this.tree;
    return files.list(this.folder).filter((name) => files.stat(this.folder, name)?.kind === "folder");
  }

  openStage(id: string): Folder | undefined {
    try {
      return this.tree.files.openFolder(this.folder, id);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Removes a changeset's folder; what is not there already is no trouble. */
  dropStage(id: string): void {
    const stage = this.openStage(id);
    if (!stage) return;
    this.#dropAfterImages(stage);
    emptyOut(this.tree, stage);
    this.tree.files.close(stage);
    this.tree.files.removeFolder(this.folder, id);
  }

  /**
   * Removes all that an undo does not need: the images of afterwards, which once applied are second names of the
   * user's files, and what a killed process was about to remove.
   */
  dropAllButUndo(stage: Folder): void {
    const { files } = this.tree;
    this.#dropAfterImages(stage);
    for (const name of files.list(stage))
      if (name !== beforeName && name !== manifestName) files.unlink(stage, name);
  }

  #dropAfterImages(stage: Folder): void {
    const { files } = this.tree;
    if (!files.stat(stage, afterName)) return;
    const after = files.openFolder(stage, afterName);
    emptyOut(this.tree, after);
    files.close(after);
    files.removeFolder(stage, afterName);
  }

  close(): void {
    this.tree.files.close(this.folder);
  }
}

const ignoreName = ".gitignore";
export const afterName = "after";
export const beforeName = "before";
export const manifestName = "manifest.json";

/** What a changeset consists of, confirmed by the hash in the ledger. */
export function readManifest(room: Room, { id, manifest }: Standing): Manifest {
  const { files } = room.tree;
  const stage = room.openStage(id);
  if (!stage) throw new ImageMissing(id, "folder");
  try {
    if (!files.stat(stage, manifestName)) throw new ImageMissing(id, "manifest");
    const file = files.open(stage, manifestName, "read");
    const bytes = files.read(file, 0, files.statOf(file).size);
    files.close(file);
    if (sha256(bytes) !== manifest) throw new ImageMissing(id, "manifest");
    return decodeManifest(bytes);
  } finally {
    files.close(stage);
  }
}

/** The stage lacks what the ledger says is there; nothing is guessed. */
export class ImageMissing extends Error {
  override name = "ImageMissing";
  readonly code = "TXN_BLOB_MISSING";

  constructor(id: string, what: string) {
    super(
      `changeset ${id} cannot be finished or taken back: its ${what} is missing or damaged in ${roomPath}/${id}`,
    );
  }
}

/** Ids become names of folders, beside the few files of the room. */
export function isChangesetId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(id) && id !== "lock";
}

/** A folder in it, which we never make, refuses to be unlinked: nothing of it is lost. */
function emptyOut(tree: Tree, folder: Folder): void {
  for (const name of tree.files.list(folder)) tree.files.unlink(folder, name);
}
