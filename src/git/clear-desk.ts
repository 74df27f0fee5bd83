/**
 * Removes from a desk everything that a tree does not hold: untracked, ignored, nested repositories, devices, the
 * desk's own `.git`. What is left is files at places where the tree has files, for git to put right.
 */
import type { BytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { breather } from "./breather.ts";
import type { TreeListing } from "./tree-listing.ts";

export async function clearDesk(trees: FolderTrees, desk: BytePath, tree: TreeListing): Promise<void> {
  const breathe = breather();
  trees.unlock(desk);
  const folders: BytePath[] = ["" as BytePath];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, kind, mode } of trees.list(below(desk, folder))) {
      await breathe();
      const path = below(folder, name);
      const at = below(desk, path);
      if (kind === "folder" && tree.folders.has(path)) {
        if ((mode & 0o700) !== 0o700) trees.unlock(at);
        folders.push(path);
      } else if (kind === "folder" || kind === "other" || !tree.entries.has(path)) {
        await trees.remove(at);
      }
    }
  }
}

function below(folder: BytePath, name: BytePath): BytePath {
  return (folder === "" ? name : name === "" ? folder : `${folder}/${name}`) as BytePath;
}
