/**
 * `.coxswain/documents/`: the lock, the log with its bookmark, and the staged files.
 *
 * It lies beside the documents, so it is on the same file system. Its own `.gitignore` keeps all of it out of the
 * user's git.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { Folder } from "../world/files/files.ts";
import type { Tree } from "../world/folders/tree.ts";

export const roomNames = {
  lock: "lock",
  log: "log.jsonl",
  /** How far the log is known to be applied. */
  head: "head",
  staged: "staged",
} as const;

const own = ".coxswain";
const path = `${own}/documents`;
const ignoreName = ".gitignore";

export class StoreRoom {
  private constructor(
    private readonly tree: Tree,
    readonly folder: Folder,
    readonly staged: Folder,
  ) {}

  static async openOrMake(tree: Tree): Promise<StoreRoom> {
    const folders = [own, path, `${path}/${roomNames.staged}`];
    for (const folder of folders) if (!tree.hasFolder(folder)) tree.make(folder);
    const room = new StoreRoom(tree, opened(tree, path), opened(tree, `${path}/${roomNames.staged}`));
    try {
      if (!room.#isFinished()) await room.#finish();
      return room;
    } catch (error) {
      room.close();
      throw error;
    }
  }

  /** Opens the folder of the log for a reader, who must close it; undefined if nothing was ever changed here. */
  static peek(tree: Tree): Folder | undefined {
    return tree.openFolder(path);
  }

  /** Whether the folders are still the ones with these names; somebody may have removed everything. */
  isThere(): boolean {
    const { files } = this.tree;
    return [
      [path, this.folder],
      [`${path}/${roomNames.staged}`, this.staged],
    ].every(([where, folder]) => {
      const there = this.tree.stat(where as string);
      return there?.inode === files.statOf(folder as Folder).inode;
    });
  }

  /** Removes what a killed writer left. */
  clear(): void {
    const { files } = this.tree;
    for (const name of files.list(this.staged)) files.unlink(this.staged, name);
  }

  close(): void {
    this.tree.files.close(this.staged);
    this.tree.files.close(this.folder);
  }

  /**
   * The ignore file is created last, after the sync. Without the sync, a power cut could lose the room together with a
   * log that was already acknowledged.
   */
  #isFinished(): boolean {
    return (this.tree.files.stat(this.folder, ignoreName)?.size ?? 0) > 0;
  }

  /** Two processes may do this at once; ignoring everything twice does no harm. */
  async #finish(): Promise<void> {
    const { files } = this.tree;
    const above = opened(this.tree, own);
    try {
      await this.tree.withFolder("", (root) => files.syncAll([root, above, this.folder, this.staged]));
    } finally {
      files.close(above);
    }
    const ignore = files.open(this.folder, ignoreName, "append");
    try {
      files.write(ignore, encodeUtf8("*\n"));
    } finally {
      files.close(ignore);
    }
  }
}

function opened(tree: Tree, folder: string): Folder {
  const found = tree.openFolder(folder);
  if (!found) throw Object.assign(new Error(`ENOENT: ${folder} was removed meanwhile`), { code: "ENOENT" });
  return found;
}
