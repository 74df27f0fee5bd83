/** Picks the implementation of `Files` that this machine supports. */
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { Files } from "./files.ts";
import { nodeFiles } from "./node-files.ts";
import { pathFiles } from "./path-files.ts";

export function openFiles(): Files {
  return hasDescriptorWalk() ? nodeFiles() : pathFiles();
}

/**
 * Whether it is harmless here when a folder is swapped for a link in mid-operation. Tested by trying, not guessed from
 * the platform.
 */
export function hasDescriptorWalk(): boolean {
  const fd = openSync("/", "r");
  try {
    const pinned = fstatSync(fd, { bigint: true });
    const reached = statSync(`/proc/self/fd/${fd}/.`, { bigint: true, throwIfNoEntry: false });
    return reached !== undefined && reached.dev === pinned.dev && reached.ino === pinned.ino;
  } finally {
    closeSync(fd);
  }
}
