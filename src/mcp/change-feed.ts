/**
 * Tells connected clients what changed, at most a few times a second however often it does: what happens in between is
 * told together.
 */
import type { DocumentPath } from "../document/address.ts";
import type { DocumentStore } from "../document/store.ts";
import { documentUri, runUri } from "./resource-uri.ts";
import { type Runs, runViews } from "./runs.ts";

/** A connected client. */
export interface Listener {
  updated(uri: string): void;
  listChanged(): void;
}

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Set<DocumentPath>();
  readonly #waitingRuns = new Set<string>();
  /** Those that there were when somebody was told last. */
  #known: Set<DocumentPath> | undefined;
  #knownRuns = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly shelves: { readonly store: DocumentStore; readonly runs: Runs },
    private readonly pauseMs = 200,
  ) {}

  /** Begins to watch with the first listener: a client that only calls tools costs no look at any folder. */
  listen(listener: Listener): () => void {
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
    // Not put off by what follows: a folder that never rests would otherwise never be told of.
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
