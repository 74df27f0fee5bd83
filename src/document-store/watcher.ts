/**
 * Finds out which documents somebody else wrote: another process, or a person with an editor.
 *
 * A kernel notification makes it read the folders again and compare. Where there are no notifications, it looks every
 * second. It starts with the first listener and costs nothing before that.
 */

import type { DocumentPath } from "../document/address.ts";
import type { FolderWatch } from "../world/folders/folder-watch.ts";
import { type FolderContents, type FolderSnapshots, patientTrust } from "./folder-snapshots.ts";

/** Notifications come in bursts, including those of our own changes, and nobody needs to know of a change at once. */
const gatherMs = 200;
const lookEveryMs = 1000;

export interface WatchOptions {
  readonly snapshots: FolderSnapshots;
  readonly folders: FolderWatch;
  readonly tell: (paths: readonly DocumentPath[]) => void;
  /** Called before each read of the folders. */
  readonly freshen: () => void;
}

export class Watcher {
  /** The folder contents when changes were last reported. */
  #reported: ReadonlyMap<string, FolderContents>;
  #isDue = false;
  #gathering: NodeJS.Timeout | undefined;
  #holds = 0;
  /** The stamp of what we wrote last ourselves; undefined if we removed the document. */
  readonly #own = new Map<DocumentPath, string | undefined>();
  readonly #looking: NodeJS.Timeout;

  constructor(private readonly observer: WatchOptions) {
    const { snapshots, folders, freshen } = observer;
    freshen();
    snapshots.hear(folders, () => this.#heard());
    this.#reported = snapshots.all(patientTrust);
    this.#looking = setInterval(() => this.#lookAtUnsigned(), lookEveryMs).unref();
  }

  /** Notes a change of our own. Its author reports it, so the watcher must not. */
  note(path: DocumentPath, stamp: string | undefined): void {
    this.#own.set(path, stamp);
  }

  /** Pauses reports until the returned function is called, so that our own writes can be noted first. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0 && this.#isDue) this.#gather();
    };
  }

  close(): void {
    clearTimeout(this.#gathering);
    clearInterval(this.#looking);
    this.observer.snapshots.stopHearing();
  }

  #heard(): void {
    this.#isDue = true;
    if (this.#holds === 0) this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      if (this.#holds === 0) this.#tellNews();
    }, gatherMs).unref();
  }

  #lookAtUnsigned(): void {
    if (this.#holds === 0 && !this.observer.snapshots.isNotifiedOfAll) this.#tellNews();
  }

  #tellNews(): void {
    const { snapshots, tell, freshen } = this.observer;
    this.#isDue = false;
    freshen();
    const before = this.#reported;
    this.#reported = snapshots.all(patientTrust);
    const folders = new Set([...before.keys(), ...this.#reported.keys()]);
    const changed = [...folders].flatMap((folder) =>
      this.#changed(before.get(folder), this.#reported.get(folder)),
    );
    if (changed.length > 0) tell([...new Set(changed)].sort());
  }

  #changed(before: FolderContents | undefined, now: FolderContents | undefined): DocumentPath[] {
    if (before === now) return [];
    const written = [...(now?.documents.values() ?? [])].filter(
      ({ path, stamp }) => before?.documents.get(path)?.stamp !== stamp && !this.#isOwn(path, stamp),
    );
    const gone = [...(before?.documents.keys() ?? [])].filter(
      (path) => !now?.documents.has(path) && !this.#isOwn(path, undefined),
    );
    return [...written.map(({ path }) => path), ...gone];
  }

  /** Consulted once for each change seen: any later change is somebody else's. */
  #isOwn(path: DocumentPath, stamp: string | undefined): boolean {
    const isOwn = this.#own.has(path) && this.#own.get(path) === stamp;
    this.#own.delete(path);
    return isOwn;
  }
}
