/** Reads a file at a desk without following any link; `undefined` when it does not exist or cannot be read. */
import type { Files } from "../../world/files/files.ts";
import { Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";

export function deskFile(
  files: Files,
  { desk, path }: { readonly desk: string; readonly path: string },
): Uint8Array | undefined {
  try {
    const tree = Tree.open(files, desk);
    try {
      return tree.read(path, bytesMax)?.bytes;
    } finally {
      tree.close();
    }
  } catch (error) {
    if (error instanceof TreeError) return undefined;
    throw error;
  }
}

/** More than a reply can contain. */
const bytesMax = 8 * 1024 * 1024;
