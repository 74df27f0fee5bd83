/**
 * Notifies connected clients of changes, at most a few times a second; changes in between are reported together.
 */
import type { DocumentPath } from "../../document/address.ts";
import type { DocumentStore } from "../../document/store.ts";
import { documentUri, runUri } from "./resource-uri.ts";
import { type RunLibrary, runViews } from "./runs.ts";

/** A connected client. */
export interface ConnectedClient {
  updated(uri: string): void;
  listChanged(): void;
}

export class ChangeFeed {
  readonly #listeners = new Set<ConnectedClient>();
  readonly #waiting = new Set<DocumentPath>();
  readonly #waitingRuns = new Set<string>();
  /** The documents that existed when changes were last reported. */
  #known: Set<DocumentPath> | undefined;
  #knownRuns = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly shelves: { readonly store: DocumentStore; readonly runs: RunLibrary },
    private readonly pauseMs = 200,
  ) {}

  /** Starts watching with the first listener: a client that only calls tools causes no folder to be watched. */
  listen(listener: ConnectedClient): () => void {
    this.#listeners.add(listener);
    if (!this.#unwatch) {
      const { store, runs } = this.shelves;
      this.#known = new Set([...store.list(), ...store.archive()].map(({ path }) => path));
      this.#knownRuns = new Set(runs.list());
      const stops = [
        store.watch((paths) => this.#note(this.#waiting, paths)),
        runs.watch((names) => this.#note(this.#waitingRuns, names)),
      ];
      this.#unwatch = () => {
        for (const stop of stops) stop();
      };
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#waitingRuns.clear();
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #note<Name>(waiting: Set<Name>, names: readonly Name[]): void {
    for (const name of names) waiting.add(name);
    // Later changes do not restart the timer; otherwise a folder that never rests would never be reported.
    this.#timer ??= setTimeout(() => this.#tell(), this.pauseMs);
  }

  #tell(): void {
    this.#timer = undefined;
    const paths = [...this.#waiting];
    const runs = [...this.#waitingRuns];
    this.#waiting.clear();
    this.#waitingRuns.clear();
    const isOtherList = [paths.filter((path) => this.#cameOrWent(path)), this.#runsThatCameOrWent(runs)];
    const uris = [
      ...paths.map((path) => documentUri(path)),
      ...runs.flatMap((run) => runViews.map((view) => runUri(run, view))),
    ];
    for (const listener of this.#listeners) {
      for (const uri of uris) listener.updated(uri);
      if (isOtherList.some((those) => those.length > 0)) listener.listChanged();
    }
  }

  #runsThatCameOrWent(runs: readonly string[]): readonly string[] {
    if (runs.length === 0) return [];
    const before = this.#knownRuns;
    this.#knownRuns = new Set(this.shelves.runs.list());
    return runs.filter((run) => before.has(run) !== this.#knownRuns.has(run));
  }

  #cameOrWent(path: DocumentPath): boolean {
    const { document, problem } = this.shelves.store.read(path);
    const isThere = document !== undefined || problem !== undefined;
    if (this.#known?.has(path) === isThere) return false;
    if (isThere) this.#known?.add(path);
    else this.#known?.delete(path);
    return true;
  }
}
