/** A store for one client: the same documents as for everybody, but it remembers what this client wrote. */
import type { DocumentPath } from "./address.ts";
import { shareCatalogue } from "./catalogue.ts";
import { Document } from "./document.ts";
import type { SeenDocuments, WrittenDocument } from "./seen-documents.ts";
import type {
  Author,
  Deed,
  DocumentEdit,
  DocumentEntry,
  DocumentStore,
  Library,
  ReadDocument,
  StoreDecision,
} from "./store.ts";

export class RememberingStore implements DocumentStore {
  constructor(
    private readonly store: DocumentStore,
    private readonly seen: SeenDocuments,
  ) {
    shareCatalogue(store, this);
  }

  async change<T>(
    author: Author,
    decide: (now: Library & { readonly at: string }) => StoreDecision<T>,
  ): Promise<T> {
    let edited: readonly { readonly edit: DocumentEdit; readonly before: Document | undefined }[] = [];
    const answer = await this.store.change(author, (now) => {
      const decision = decide(now);
      edited = (decision.edits ?? []).map((edit) => ({ edit, before: now.read(edit.path).document }));
      return decision;
    });
    this.seen.wrote(edited.map(({ edit, before }) => writtenBy(edit, before)));
    return answer;
  }

  read(path: DocumentPath): ReadDocument {
    return this.store.read(path);
  }

  list(): readonly DocumentEntry[] {
    return this.store.list();
  }

  archive(): readonly DocumentEntry[] {
    return this.store.archive();
  }

  listing(): Promise<readonly DocumentEntry[]> {
    return this.store.listing();
  }

  history(): readonly Deed[] {
    return this.store.history();
  }

  watch(listener: (paths: readonly DocumentPath[]) => void): () => void {
    return this.store.watch(listener);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

function writtenBy(edit: DocumentEdit, before: Document | undefined): WrittenDocument {
  const { path } = edit;
  switch (edit.do) {
    case "create":
      return { path, after: Document.of(path, edit.text) };
    case "splice":
      return { path, before, after: before?.spliced(edit.splices) };
    case "remove":
      return { path, before };
  }
}
