/** Documents in memory, for tests of what stands above the store. */
import { type DocumentPath, isOutside } from "../../src/document/address.ts";
import { Document } from "../../src/document/document.ts";
import type { Deed, DocumentEntry, DocumentStore } from "../../src/document/store.ts";
import { assert } from "../../src/std/assert.ts";

export interface MemoryStore extends DocumentStore {
  /** As somebody with an editor would. Nothing removes it. */
  put(path: string, text: string | undefined): void;
  readonly isClosed: boolean;
}

export function memoryStore(files: Readonly<Record<string, string>> = {}): MemoryStore {
  const documents = new Map<DocumentPath, Document>();
  const listeners = new Set<(paths: readonly DocumentPath[]) => void>();
  const deeds: Deed[] = [];
  let isClosed = false;
  const tell = (paths: readonly DocumentPath[]) => {
    for (const listener of listeners) listener(paths);
  };
  const entries = (isWanted: (path: DocumentPath) => boolean): DocumentEntry[] =>
    [...documents.values()]
      .filter(({ path }) => isWanted(path))
      .map(({ path, bytes, hash }) => ({ path, size: bytes.length, stamp: hash }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  const store: MemoryStore = {
    get isClosed() {
      return isClosed;
    },
    put(name, text) {
      const path = name as DocumentPath;
      if (text === undefined) documents.delete(path);
      else documents.set(path, Document.of(path, text));
      tell([path]);
    },
    read(path) {
      const document = documents.get(path);
      return document ? { document } : {};
    },
    list: () => entries((path) => !isOutside(path)),
    archive: () => entries((path) => path.startsWith("/archived/")),
    listing: async () => store.list(),
    async change(by, decide) {
      const at = "2026-01-01T00:00:00.000Z";
      const decision = decide({ ...store, at });
      if (!decision.edits) return decision.answer;
      const files = decision.edits.map((edit) => {
        const before = documents.get(edit.path);
        if (edit.do === "remove") documents.delete(edit.path);
        else if (edit.do === "create") documents.set(edit.path, Document.of(edit.path, edit.text));
        else {
          assert(before, `${edit.path} is there to be edited`);
          documents.set(edit.path, before.spliced(edit.splices));
        }
        return {
          path: edit.path,
          before: before?.hash ?? null,
          after: documents.get(edit.path)?.hash ?? null,
        };
      });
      deeds.push({ ...decision.done, at, by, files });
      tell(files.map(({ path }) => path));
      return decision.answer;
    },
    history: () => deeds,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
    },
  };
  for (const [path, text] of Object.entries(files)) store.put(path, text);
  return store;
}
