/**
 * Files by path, for a machine without `/proc/self/fd` (macOS, a bare container).
 *
 * Before each call, every folder from the root down is checked. The call is refused (ENOTDIR, ESTALE) when one is a
 * link or is no longer the folder that was opened. **This does not protect against somebody who swaps a folder for a
 * link between the check and the call**: then the call acts outside the root. Only a link at the last component is
 * always refused. A folder also becomes unusable once it, or one above it, is renamed.
 */
import { fstatSync, lstatSync } from "node:fs";
import { descriptorFiles, type OpenFolder } from "./descriptor-files.ts";
import type { Files, LentFolder } from "./files.ts";

export function pathFiles(): Files {
  const files = descriptorFiles(lookedAtPath);
  return {
    ...files,
    // Systems other than Linux report ELOOP and EPERM for these two. Callers get the same code everywhere.
    openFolder: (at, name) => {
      if (files.stat(at, name)?.kind === "link") throw refusal("ENOTDIR", "not a directory", at, name);
      return files.openFolder(at, name);
    },
    unlink: (at, name) => {
      if (files.stat(at, name)?.kind === "folder")
        throw refusal("EISDIR", "illegal on a directory", at, name);
      files.unlink(at, name);
    },
  };
}

function lookedAtPath(folder: OpenFolder): string {
  if (folder.parent) lookedAtPath(folder.parent);
  const there = lstatSync(folder.path, { bigint: true });
  if (!there.isDirectory()) throw refusal("ENOTDIR", "not a directory any more", folder);
  if (folder.fd !== undefined) {
    const pinned = fstatSync(folder.fd, { bigint: true });
    if (there.dev !== pinned.dev || there.ino !== pinned.ino) {
      throw refusal("ESTALE", "another folder has taken its place", folder);
    }
  }
  return folder.path;
}

function refusal(code: string, reason: string, at: LentFolder, name?: string): Error {
  const path = [(at as OpenFolder).path, name].filter((part) => part !== undefined).join("/");
  return Object.assign(new Error(`${code}: ${reason}: '${path}'`), { code });
}
