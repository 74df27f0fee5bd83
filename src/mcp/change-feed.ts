/**
 * Tells connected clients what changed, at most a few times a second however often it does: what happens in between is
 * told together.
 */
import type { DocumentPath } from "../document/address.ts";
import type { DocumentStore } from "../document/store.ts";
import { documentUri } from "./resource-uri.ts";

/** A connected client. */
export interface Listener {
  updated(uri: string): void;
  listChanged(): void;
}

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Set<DocumentPath>();
  /** Those that there were when somebody was told last. */
  #known: Set<DocumentPath> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly store: DocumentStore,
    private readonly pauseMs = 200,
  ) {}

  /** Begins to watch with the first listener: a client that only calls tools costs no look at any folder. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#unwatch) {
      this.#known = new Set([...this.store.list(), ...this.store.archive()].map(({ path }) => path));
      this.#unwatch = this.store.watch((paths) => this.#note(paths));
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
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #note(paths: readonly DocumentPath[]): void {
    for (const path of paths) this.#waiting.add(path);
    // Not put off by what follows: a folder that never rests would otherwise never be told of.
    this.#timer ??= setTimeout(() => this.#tell(), this.pauseMs);
  }

  #tell(): void {
    this.#timer = undefined;
    const paths = [...this.#waiting];
    this.#waiting.clear();
    const cameOrWent = paths.filter((path) => this.#cameOrWent(path));
    for (const listener of this.#listeners) {
      for (const path of paths) listener.updated(documentUri(path));
      if (cameOrWent.length > 0) listener.listChanged();
    }
  }

  #cameOrWent(path: DocumentPath): boolean {
    const { document, problem } = this.store.read(path);
    const isThere = document !== undefined || problem !== undefined;
    if (this.#known?.has(path) === isThere) return false;
    if (isThere) this.#known?.add(path);
    else this.#known?.delete(path);
    return true;
  }
}
