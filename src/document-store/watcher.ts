/**
 * Finds out which documents somebody else wrote: another process, or a person with an editor.
 *
 * A sign from the kernel makes it look again and compare. Where there are no signs it looks every second. It begins with
 * the first listener and costs nothing before.
 */

import type { DocumentPath } from "../document/address.ts";
import type { FolderWatch } from "../world/folder-watch.ts";
import { type Contents, type FolderLooks, patientTrust } from "./folder-looks.ts";

/** Signs come in swarms, our own changes among them, and nobody needs to hear of a change within a blink. */
const gatherMs = 200;
const lookEveryMs = 1000;

export interface Watching {
  readonly looks: FolderLooks;
  readonly folders: FolderWatch;
  readonly tell: (paths: readonly DocumentPath[]) => void;
  /** Called before each look. */
  readonly freshen: () => void;
}

export class Watcher {
  /** What the folders held when somebody was told last. */
  #told: ReadonlyMap<string, Contents>;
  #isDue = false;
  #gathering: NodeJS.Timeout | undefined;
  #holds = 0;
  /** What we wrote last ourselves; nothing where we removed it. */
  readonly #own = new Map<DocumentPath, string | undefined>();
  readonly #looking: NodeJS.Timeout;

  constructor(private readonly watching: Watching) {
    const { looks, folders, freshen } = watching;
    freshen();
    looks.hear(folders, () => this.#heard());
    this.#told = looks.all(patientTrust);
    this.#looking = setInterval(() => this.#lookAtUnsigned(), lookEveryMs).unref();
  }

  /** Our own change: told of by who made it, so that it is no news. */
  note(path: DocumentPath, stamp: string | undefined): void {
    this.#own.set(path, stamp);
  }

  /** Until it is called off, nothing is told: what we write ourselves is noted first. */
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
    this.watching.looks.stopHearing();
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
    if (this.#holds === 0 && !this.watching.looks.isToldOfAll) this.#tellNews();
  }

  #tellNews(): void {
    const { looks, tell, freshen } = this.watching;
    this.#isDue = false;
    freshen();
    const before = this.#told;
    this.#told = looks.all(patientTrust);
    const folders = new Set([...before.keys(), ...this.#told.keys()]);
    const changed = [...folders].flatMap((folder) =>
      this.#changed(before.get(folder), this.#told.get(folder)),
    );
    if (changed.length > 0) tell([...new Set(changed)].sort());
  }

  #changed(before: Contents | undefined, now: Contents | undefined): DocumentPath[] {
    if (before === now) return [];
    const written = [...(now?.documents.values() ?? [])].filter(
      ({ path, stamp }) => before?.documents.get(path)?.stamp !== stamp && !this.#isOwn(path, stamp),
    );
    const gone = [...(before?.documents.keys() ?? [])].filter(
      (path) => !now?.documents.has(path) && !this.#isOwn(path, undefined),
    );
    return [...written.map(({ path }) => path), ...gone];
  }

  /** Asked once for each change that is seen: whatever comes after it is somebody else's. */
  #isOwn(path: DocumentPath, stamp: string | undefined): boolean {
    const isOwn = this.#own.has(path) && this.#own.get(path) === stamp;
    this.#own.delete(path);
    return isOwn;
  }
}
