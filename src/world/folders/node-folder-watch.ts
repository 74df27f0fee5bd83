/**
 * Change notifications from the kernel: inotify on Linux, whatever Node offers elsewhere.
 *
 * Inotify is prompt where this kernel makes every change itself. On a network folder, or one shared by the host of a
 * virtual machine, a change made on the other side may not be reported at all.
 */
import { type FSWatcher, statfsSync, watch } from "node:fs";
import { errnoOf } from "../files/errno.ts";
import type { FolderWatch, WatchedFolder } from "./folder-watch.ts";

export const nodeFolderWatch: FolderWatch = {
  watch(path, call) {
    try {
      return new Watched(watch(path, { persistent: false }, call), isLocal(path), call);
    } catch (error) {
      // The folder does not exist, or the user's limit of watches is reached: the caller has to poll.
      if (errnoOf(error) === undefined) throw error;
      return undefined;
    }
  },
};

class Watched implements WatchedFolder {
  #isPrompt: boolean;

  constructor(
    private readonly watcher: FSWatcher,
    isPrompt: boolean,
    call: () => void,
  ) {
    this.#isPrompt = isPrompt;
    watcher.on("error", () => {
      this.#isPrompt = false;
      watcher.close();
      call();
    });
  }

  get isPrompt(): boolean {
    return this.#isPrompt;
  }

  stop(): void {
    this.watcher.close();
  }
}

/** The kernel's numbers for ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, ZFS, bcachefs, and overlays on these. */
const localKinds: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630,
]);

function isLocal(path: string): boolean {
  return process.platform === "linux" && localKinds.has(statfsSync(path).type);
}
