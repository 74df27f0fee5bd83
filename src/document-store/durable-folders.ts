/**
 * Syncs the folders of documents, and those above them not yet known to be durable, so names survive a power cut.
 */

import type { DocumentPath } from "../document/address.ts";
import type { Folder } from "../world/files/files.ts";
import type { Tree } from "../world/folders/tree.ts";
import { filePath } from "./shelf.ts";
import { foldersAbove } from "./staging.ts";

export class DurableFolders {
  /** Keyed by path and inode. A folder that somebody created without a sync may vanish, so it does not count. */
  readonly #known = new Set<string>();

  constructor(private readonly tree: Tree) {}

  async sync(paths: readonly DocumentPath[]): Promise<void> {
    const { files } = this.tree;
    const opened = new Map<string, Folder>();
    const news: string[] = [];
    let isRootMeant = false;
    try {
      for (const path of paths) {
        let isBelowDurable = false;
        for (const where of foldersAbove(filePath(path)).reverse()) {
          const folder = opened.get(where) ?? this.tree.openFolder(where);
          // Somebody removed it since; there is nothing in it to sync.
          if (!folder) continue;
          opened.set(where, folder);
          const key = `${where} ${files.statOf(folder).inode}`;
          isBelowDurable = this.#known.has(key);
          if (isBelowDurable) break;
          news.push(key);
        }
        isRootMeant ||= !isBelowDurable;
      }
      await this.tree.withFolder("", (root) =>
        files.syncAll([...opened.values(), ...(isRootMeant ? [root] : [])]),
      );
      for (const key of news) this.#known.add(key);
    } finally {
      for (const folder of opened.values()) files.close(folder);
    }
  }
}
