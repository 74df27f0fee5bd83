/** Signs from the kernel: inotify on Linux, kqueue elsewhere. */
import { type FSWatcher, watch } from "node:fs";
import { errnoOf } from "./errno.ts";
import type { FolderWatch } from "./folder-watch.ts";

export const nodeFolderWatch: FolderWatch = {
  watch(path, call) {
    let watcher: FSWatcher;
    try {
      watcher = watch(path, { persistent: false }, call);
    } catch (error) {
      // Not there, or the user's share of watches is used up: whoever wants to know must look by itself.
      if (errnoOf(error) === undefined) throw error;
      return undefined;
    }
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  },
};
