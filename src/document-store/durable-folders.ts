/** Makes the names of documents survive a power cut, and those of the folders above them where that is not known yet. */

import type { DocumentPath } from "../document/address.ts";
import type { Folder } from "../world/files.ts";
import type { Tree } from "../world/tree.ts";
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
    let isRootMeant = false;
    try {
      for (const path of paths) {
        let isBelowDurable = false;
        for (const where of foldersAbove(filePath(path)).reverse()) {
          const folder = opened.get(where) ?? this.tree.openFolder(where);
          // Removed by somebody since: there is nothing in it to be kept.
          if (!folder) continue;
          opened.set(where, folder);
          const key = `${where} ${files.statOf(folder).inode}`;
          isBelowDurable = this.#known.has(key);
          if (isBelowDurable) break;
          news.push(key);
        }
        isRootMeant ||= !isBelowDurable;
      }
      await files.syncAll([...opened.values(), ...(isRootMeant ? [root] : [])]);
      for (const key of news) this.#known.add(key);
    } finally {
      for (const folder of opened.values()) files.close(folder);
    }
  }
}
