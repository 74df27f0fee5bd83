/**
 * Finds out which documents somebody else wrote: another process, or a person with an editor.
 *
 * A sign from the kernel makes it look at one folder again and compare. Where there are no signs it looks every second.
 * It begins with the first listener and costs nothing before.
 */
import type { FolderWatch } from "../world/folder-watch.ts";
import { type Tree, TreeError } from "../world/tree.ts";
import type { DocumentPath } from "./address.ts";
import { documentsFolder, pathOf, stampOf } from "./shelf.ts";

/** Signs come in swarms, our own changes among them, and nobody needs to hear of a change within a blink. */
const gatherMs = 200;
const lookEveryMs = 1000;

interface Watched {
  readonly inode: number;
  /** Of each document in it. */
  stamps: Map<DocumentPath, string>;
  /** Nothing where the kernel gives no signs. */
  readonly stop: (() => void) | undefined;
}

export interface Watching {
  readonly tree: Tree;
  readonly folders: FolderWatch;
  readonly tell: (paths: readonly DocumentPath[]) => void;
}

export class Watcher {
  /** By their paths below the root; "" is the root. */
  readonly #watched = new Map<string, Watched>();
  readonly #due = new Set<string>();
  readonly #root: string;
  #gathering: NodeJS.Timeout | undefined;
  #holds = 0;
  /** What we wrote last ourselves; nothing where we removed it. */
  readonly #own = new Map<DocumentPath, string | undefined>();
  readonly #looking: NodeJS.Timeout;

  constructor(private readonly watching: Watching) {
    const { tree } = watching;
    this.#root = tree.files.pathOf(tree.root);
    this.#lookAt("");
    this.#looking = setInterval(() => this.#lookAtUnsigned(), lookEveryMs).unref();
  }

  /** Our own change: told of by who made it, so that it is no news. */
  note(path: DocumentPath, stamp: string | undefined): void {
    this.#own.set(path, stamp);
  }

  /** Until it is called off, nothing is looked at: what we write ourselves is noted first. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0 && this.#due.size > 0) this.#gather();
    };
  }

  close(): void {
    clearTimeout(this.#gathering);
    clearInterval(this.#looking);
    for (const { stop } of this.#watched.values()) stop?.();
    this.#watched.clear();
  }

  #sign(folder: string): void {
    this.#due.add(folder);
    if (this.#holds === 0) this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#lookAtDue(), gatherMs).unref();
  }

  #lookAtDue(): void {
    this.#gathering = undefined;
    if (this.#holds > 0) return;
    const due = [...this.#due];
    this.#due.clear();
    this.#tellOf(due);
  }

  #lookAtUnsigned(): void {
    if (this.#holds > 0) return;
    this.#tellOf([...this.#watched].filter(([, { stop }]) => !stop).map(([folder]) => folder));
  }

  #tellOf(folders: readonly string[]): void {
    this.watching.tree.release();
    const changed = new Set(folders.flatMap((folder) => this.#lookAt(folder)));
    if (changed.size > 0) this.watching.tell([...changed].sort());
  }

  /** The documents in it, and in folders that are new below it, which are not as they were. */
  #lookAt(folder: string): DocumentPath[] {
    const seen = this.#see(folder);
    if (!seen) return this.#forget(folder);
    const watched = this.#watched.get(folder) ?? this.#begin(folder, seen.inode);
    const before = watched.stamps;
    watched.stamps = seen.stamps;
    const changed = [...seen.stamps].filter(
      ([path, stamp]) => before.get(path) !== stamp && !this.#isOwn(path, stamp),
    );
    const gone = [...before.keys()].filter((path) => !seen.stamps.has(path) && !this.#isOwn(path, undefined));
    const below = [...seen.folders].filter(([one, inode]) => this.#watched.get(one)?.inode !== inode);
    const newly = below.flatMap(([one]) => [...this.#forget(one), ...this.#lookAt(one)]);
    return [...changed.map(([path]) => path), ...gone, ...newly];
  }

  /** Asked once for each change that is seen: whatever comes after it is somebody else's. */
  #isOwn(path: DocumentPath, stamp: string | undefined): boolean {
    const isOwn = this.#own.has(path) && this.#own.get(path) === stamp;
    this.#own.delete(path);
    return isOwn;
  }

  #begin(folder: string, inode: number): Watched {
    const path = folder === "" ? this.#root : `${this.#root}/${folder}`;
    const stop = this.watching.folders.watch(path, () => this.#sign(folder));
    const watched: Watched = { inode, stamps: new Map(), stop };
    this.#watched.set(folder, watched);
    // What was written before the signs began is seen by the look that follows.
    return watched;
  }

  #forget(folder: string): DocumentPath[] {
    const gone: DocumentPath[] = [];
    for (const [one, { stamps, stop }] of this.#watched) {
      if (one === "" || (one !== folder && !one.startsWith(`${folder}/`))) continue;
      stop?.();
      gone.push(...stamps.keys());
      this.#watched.delete(one);
    }
    return gone;
  }

  /** Nothing when there is no such folder. */
  #see(folder: string): Seen | undefined {
    const { tree } = this.watching;
    const stamps = new Map<DocumentPath, string>();
    const folders = new Map<string, number>();
    try {
      const open = tree.folder(folder);
      if (!open) return undefined;
      for (const name of namesIn(tree, folder)) {
        const below = folder === "" ? name : `${folder}/${name}`;
        const stat = tree.stat(below);
        if (stat?.kind === "folder") folders.set(below, stat.inode);
        const path = stat?.kind === "file" ? pathOf(below.slice(documentsFolder.length + 1)) : undefined;
        if (stat && path) stamps.set(path, stampOf(stat));
      }
      return { inode: tree.files.statOf(open).inode, stamps, folders };
    } catch (error) {
      if (!(error instanceof TreeError)) throw error;
      return undefined;
    }
  }
}

interface Seen {
  readonly inode: number;
  readonly stamps: Map<DocumentPath, string>;
  /** By their paths, with their inodes. */
  readonly folders: ReadonlyMap<string, number>;
}

/** Above the documents only the way to them is of interest. */
function namesIn(tree: Tree, folder: string): readonly string[] {
  if (folder === "") return [documentsFolder];
  return folder === documentsFolder ? ["docs", "coordinator", "archived"] : tree.list(folder);
}
