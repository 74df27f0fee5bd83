/**
 * `.coxswain/documents/`: the lock, the log with its bookmark, and what is about to be put in place.
 *
 * It lies beside the documents so that it is on the same file system, and ignores itself, so that nothing of it shows
 * up in the user's git.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { Folder } from "../world/files.ts";
import type { Tree } from "../world/tree.ts";

export const roomNames = {
  lock: "lock",
  log: "log.jsonl",
  /** How far the log is known to be carried out. */
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
    for (const folder of folders) if (!tree.folder(folder)) tree.make(folder);
    const room = new StoreRoom(tree, opened(tree, path), opened(tree, `${path}/${roomNames.staged}`));
    try {
      if (!room.#isFinished()) await room.#finish();
      return room;
    } catch (error) {
      room.close();
      throw error;
    }
  }

  /** The folder of the log, for a reader, who closes it; nothing when nothing was ever changed here. */
  static peek(tree: Tree): Folder | undefined {
    return tree.openFolder(path);
  }

  /** Whether it is still the folder of that name: somebody may have removed all of it. */
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

  /** What a killed writer left. */
  clear(): void {
    const { files } = this.tree;
    for (const name of files.list(this.staged)) files.unlink(this.staged, name);
  }

  close(): void {
    this.tree.files.close(this.staged);
    this.tree.files.close(this.folder);
  }

  /** The last thing that is made: without it, a power cut could take the room away with a log that was acknowledged. */
  #isFinished(): boolean {
    return (this.tree.files.stat(this.folder, ignoreName)?.size ?? 0) > 0;
  }

  /** Two processes may do this at once: to ignore everything twice is no harm. */
  async #finish(): Promise<void> {
    const { files, root } = this.tree;
    const above = opened(this.tree, own);
    try {
      await files.syncAll([root, above, this.folder, this.staged]);
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
