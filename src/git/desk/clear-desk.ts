/**
 * Removes from a desk everything that is not in a tree: untracked and ignored files, nested repositories, devices, and
 * the desk's own `.git`. Only files at paths where the tree has files remain, and git corrects those.
 */
import { type BytePath, joinBytePath, noPath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import { breather } from "../breather.ts";
import type { TreeListing } from "../tree-listing.ts";

export async function clearDesk(trees: FolderTrees, desk: BytePath, tree: TreeListing): Promise<void> {
  const breathe = breather();
  trees.unlock(desk);
  const folders: BytePath[] = [noPath];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, kind, mode } of trees.list(joinBytePath(desk, folder))) {
      await breathe();
      const path = joinBytePath(folder, name);
      const at = joinBytePath(desk, path);
      if (kind === "folder" && tree.folders.has(path)) {
        if ((mode & 0o700) !== 0o700) trees.unlock(at);
        folders.push(path);
      } else if (kind === "folder" || kind === "other" || !tree.entries.has(path)) {
        await trees.remove(at);
      }
    }
  }
}
