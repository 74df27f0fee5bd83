/** Which of the two ways to the files this machine allows. */
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { Files } from "./files.ts";
import { nodeFiles } from "./node-files.ts";
import { pathFiles } from "./path-files.ts";

export function openFiles(): Files {
  return hasDescriptorWalk() ? nodeFiles() : pathFiles();
}

/** Whether a folder that is swapped for a link in mid-flight is harmless here: tried, not guessed from the platform. */
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
