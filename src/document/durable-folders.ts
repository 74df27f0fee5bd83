/** Makes the names of documents survive a power cut, and those of the folders above them where that is not known yet. */
import type { Folder } from "../world/files.ts";
import type { Tree } from "../world/tree.ts";
import type { DocumentPath } from "./address.ts";
import { filePath } from "./shelf.ts";
import { foldersAbove } from "./staging.ts";

export class DurableFolders {
  /** By path and inode. A folder that somebody made without a sync is as good as not there. */
  readonly #known = new Set<string>();

  constructor(private readonly tree: Tree) {}

  async sync(paths: readonly DocumentPath[]): Promise<void> {
    const { files, root } = this.tree;
    const opened = new Map<string, Folder>();
    const news: string[] = [];
    try {
      for (const path of paths) {
        const above = foldersAbove(filePath(path)).reverse();
        for (const [at, where] of above.entries()) {
          const folder = opened.get(where) ?? this.tree.openFolder(where);
          // Removed by somebody since: there is nothing in it to be kept.
          if (!folder) continue;
          const key = `${where} ${files.statOf(folder).inode}`;
          const isKnown = this.#known.has(key);
          if (at > 0 && isKnown && !opened.has(where)) files.close(folder);
          else opened.set(where, folder);
          if (isKnown) break;
          news.push(key);
        }
      }
      await files.syncAll([...opened.values(), ...(news.length > 0 ? [root] : [])]);
      for (const key of news) this.#known.add(key);
    } finally {
      for (const folder of opened.values()) files.close(folder);
    }
  }
}
