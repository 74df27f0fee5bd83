/** A tree in memory, for trying operations on files that are on no disk. */

import type { Sha256 } from "../../src/change/change.ts";
import type { Disk, DiskEntry } from "../../src/change/disk.ts";
import { folderNames } from "../../src/change/policy/folder-names.ts";
import { encodeUtf8 } from "../../src/std/utf8.ts";

export interface MemoryFile {
  readonly bytes: Uint8Array | string;
  readonly mode?: number;
}

export function memoryDisk(
  files: Readonly<Record<string, MemoryFile | string>>,
  hash: (bytes: Uint8Array) => Sha256,
  repositories: readonly string[] = [],
): Disk {
  const paths = Object.keys(files);
  const below = (folder: string) => paths.filter((path) => folder === "" || path.startsWith(`${folder}/`));
  return {
    look(path): DiskEntry {
      const file = files[path];
      if (file === undefined) {
        if (below(path).length === 0) return { kind: "absent" };
        const message = `${path} is a folder`;
        return { kind: "problem", problem: { code: "PATH_IS_DIRECTORY", message, hint: "Name a file." } };
      }
      const { bytes: content, mode = 0o644 } = typeof file === "string" ? { bytes: file } : file;
      const bytes = typeof content === "string" ? encodeUtf8(content) : content;
      return { kind: "file", image: { sha256: hash(bytes), size: bytes.length, mode }, bytes };
    },
    names: folderNames(paths),
    isRepository: (folder) => repositories.includes(folder),
  };
}
