/**
 * Documents in memory, with the same promises as those in files, except that they do not survive the process: for tests
 * and experiments.
 */

import { type DocumentPath, isOutside } from "../../src/document/address.ts";
import { Document } from "../../src/document/document.ts";
import type {
  Author,
  Deed,
  DocumentEntry,
  DocumentStore,
  Library,
  ReadDocument,
  StoreDecision,
} from "../../src/document/store.ts";
import { type Revision, revise } from "../../src/document/text/revise.ts";
import type { Clock } from "../../src/world/time/clock.ts";

export class MemoryStore implements DocumentStore {
  readonly #listeners = new Set<(paths: readonly DocumentPath[]) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly memory = new DocumentMemory(),
  ) {
    memory.onChange((paths) => {
      for (const listener of this.#listeners) listener(paths);
    });
  }

  read(path: DocumentPath): ReadDocument {
    const document = this.memory.find(path);
    return document ? { document } : {};
  }

  list(): readonly DocumentEntry[] {
    return this.memory.entries((path) => !isOutside(path));
  }

  archive(): readonly DocumentEntry[] {
    return this.memory.entries((path) => path.startsWith("/archived/"));
  }

  async listing(): Promise<readonly DocumentEntry[]> {
    return this.list();
  }

  change<T>(
    author: Author,
    decide: (now: Library & { readonly at: string }) => StoreDecision<T>,
  ): Promise<T> {
    return this.memory.oneByOne(async () => {
      for (;;) {
        const at = new Date(this.clock.now()).toISOString();
        const now = {
          at,
          read: (path: DocumentPath) => this.read(path),
          list: () => this.list(),
          archive: () => this.archive(),
        };
        const { answer, edits, done } = { done: undefined, ...decide(now) };
        const revisions = edits ? revise(now, edits) : [];
        if (!done || revisions.length === 0) return answer;
        // Takes time, as a disk does: a document that somebody writes meanwhile is not overwritten.
        await new Promise((resolve) => setImmediate(resolve));
        if (this.memory.apply(revisions, { ...done, at, by: author })) return answer;
      }
    });
  }

  history(): readonly Deed[] {
    return [...this.memory.deeds];
  }

  watch(listener: (paths: readonly DocumentPath[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

/** What several of these stores share, and where somebody else can write. */
export class DocumentMemory {
  readonly deeds: Deed[] = [];
  readonly #documents = new Map<DocumentPath, { readonly document: Document; readonly stamp: string }>();
  readonly #listeners: ((paths: readonly DocumentPath[]) => void)[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #writes = 0;

  find(path: DocumentPath): Document | undefined {
    return this.#documents.get(path)?.document;
  }

  entries(isWanted: (path: DocumentPath) => boolean): DocumentEntry[] {
    return [...this.#documents]
      .filter(([path]) => isWanted(path))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, { document, stamp }]) => ({ path, size: document.size, stamp }));
  }

  /** Writes like somebody with an editor; without a text, the document is removed. */
  put(path: DocumentPath, text?: string): void {
    this.#write(path, text === undefined ? undefined : Document.of(path, text));
    this.#tell([path]);
  }

  /** Returns false when one of the documents is not what it was before. */
  apply(
    revisions: readonly Revision[],
    { at, by, tool, about, tasks, undoes }: Omit<Deed, "files" | "number">,
  ): boolean {
    if (revisions.some(({ path, before }) => this.find(path)?.hash !== before?.hash)) return false;
    for (const { path, after } of revisions) this.#write(path, after);
    const files = revisions.map(({ path, before, after }) => ({
      path,
      before: before?.hash ?? null,
      after: after?.hash ?? null,
    }));
    this.deeds.push({
      number: this.deeds.length + 1,
      at,
      by,
      tool,
      about,
      ...(tasks && { tasks }),
      ...(undoes !== undefined && { undoes }),
      files,
    });
    this.#tell(revisions.map(({ path }) => path));
    return true;
  }

  oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  onChange(listener: (paths: readonly DocumentPath[]) => void): void {
    this.#listeners.push(listener);
  }

  #write(path: DocumentPath, document: Document | undefined): void {
    if (document) this.#documents.set(path, { document, stamp: String(this.#writes++) });
    else this.#documents.delete(path);
  }

  #tell(paths: readonly DocumentPath[]): void {
    for (const listener of this.#listeners) listener(paths);
  }
}
