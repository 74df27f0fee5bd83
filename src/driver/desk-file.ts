/** The bytes of a file at a desk, seen without following any link; nothing where there is none, or it cannot be read. */
import type { Files } from "../world/files.ts";
import { Tree, TreeError } from "../world/tree.ts";

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

/** More than can be in a reply. */
const bytesMax = 8 * 1024 * 1024;
