/** Shows the real tree to the compiler of operations. */
import type { Disk, DiskEntry } from "../../change/disk.ts";
import { fileBytesMax } from "../../change/limits.ts";
import type { TreePath } from "../../change/path.ts";
import { sha256 } from "../files/hash.ts";
import type { Tree } from "./tree.ts";
import { TreeError } from "./tree-error.ts";

export class TreeDisk implements Disk {
  constructor(private readonly tree: Tree) {}

  look(path: TreePath): DiskEntry {
    try {
      const found = this.tree.read(path, fileBytesMax);
      if (!found) return { kind: "absent" };
      const { bytes, stat } = found;
      return { kind: "file", bytes, image: { sha256: sha256(bytes), size: bytes.length, mode: stat.mode } };
    } catch (error) {
      if (error instanceof TreeError) return { kind: "problem", problem: error.problem };
      throw error;
    }
  }

  names(folder: string): readonly string[] {
    return this.#unlessBroken(() => this.tree.list(folder)) ?? [];
  }

  isRepository(folder: string): boolean {
    return folder !== "" && this.#unlessBroken(() => this.tree.stat(`${folder}/.git`)) !== undefined;
  }

  /** `look` reports what is wrong with a folder, for the path concerned. */
  #unlessBroken<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof TreeError) return undefined;
      throw error;
    }
  }
}
