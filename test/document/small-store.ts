/** Documents in memory, for the tests of rules: one change after the other, all of it or nothing. */
import { activeList, type DocumentPath } from "../../src/document/address.ts";
import { Document } from "../../src/document/document.ts";
import type { Author, Decision, Deed, DocumentStore, Library } from "../../src/document/store.ts";
import { assert } from "../../src/std/assert.ts";

export class SmallStore implements DocumentStore {
  readonly #documents = new Map<DocumentPath, Document>();
  readonly #stamps = new WeakMap<Document, string>();
  readonly #deeds: Deed[] = [];
  /** How often a document was read. */
  reads = 0;
  at = "2026-05-04T03:02:01.000Z";
  #last = 0;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(texts)) this.put(path, text);
  }

  put(path: string, text: string): void {
    const document = Document.of(path as DocumentPath, text);
    this.#documents.set(document.path, document);
    this.#last += 1;
    this.#stamps.set(document, String(this.#last));
  }

  drop(path: string): void {
    this.#documents.delete(path as DocumentPath);
  }

  text(path: string): string | undefined {
    return this.#documents.get(path as DocumentPath)?.text;
  }

  texts(): Record<string, string> {
    return Object.fromEntries([...this.#documents].map(([path, { text }]) => [path, text]).sort());
  }

  read: Library["read"] = (path) => {
    this.reads += 1;
    const document = this.#documents.get(path);
    return document ? { document } : {};
  };

  list: Library["list"] = () =>
    this.#entries((path) => !path.startsWith("/archived/") && path !== activeList);

  archive: Library["archive"] = () => this.#entries((path) => path.startsWith("/archived/"));

  async change<T>(by: Author, decide: (now: Library & { readonly at: string }) => Decision<T>): Promise<T> {
    const decision = decide(this);
    for (const edit of decision.edits ?? []) {
      const before = this.#documents.get(edit.path);
      if (edit.do === "create") {
        assert(!before, `there is no ${edit.path} yet`);
        this.put(edit.path, edit.text);
      } else {
        assert(before, `there is a ${edit.path}`);
        if (edit.do === "remove") this.drop(edit.path);
        else this.put(edit.path, before.spliced(edit.splices).text);
      }
    }
    if (decision.edits) this.#deeds.push({ ...decision.done, at: this.at, by, files: [] });
    return decision.answer;
  }

  history(): readonly Deed[] {
    return this.#deeds;
  }

  watch(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}

  #entries(isWanted: (path: DocumentPath) => boolean) {
    return [...this.#documents.values()]
      .filter(({ path }) => isWanted(path))
      .map((document) => ({
        path: document.path,
        size: document.bytes.length,
        stamp: this.#stamps.get(document) ?? "",
      }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}

export const author: Author = { name: "test 1.0", door: "mcp-stdio" };
