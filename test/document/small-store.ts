/** Documents in memory at a fixed time, for the tests of rules and tools: written down at once, and read back whole. */
import type { DocumentPath } from "../../src/document/address.ts";
import type { Author, ReadDocument } from "../../src/document/store.ts";
import { DocumentMemory, MemoryStore } from "../doubles/memory-store.ts";

export class SmallStore extends MemoryStore {
  readonly #documents: DocumentMemory;
  /** How often a document was read. */
  reads = 0;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    const documents = new DocumentMemory();
    super({ now: () => Date.UTC(2026, 4, 4, 3, 2, 1) }, documents);
    this.#documents = documents;
    for (const [path, text] of Object.entries(texts)) this.put(path, text);
  }

  override read(path: DocumentPath): ReadDocument {
    this.reads += 1;
    return super.read(path);
  }

  put(path: string, text: string): void {
    this.#documents.put(path as DocumentPath, text);
  }

  drop(path: string): void {
    this.#documents.put(path as DocumentPath);
  }

  text(path: string): string | undefined {
    return this.#documents.find(path as DocumentPath)?.text;
  }

  texts(): Record<string, string> {
    const paths = this.#documents.entries(() => true).map(({ path }) => path);
    return Object.fromEntries(paths.map((path) => [path, this.text(path) ?? ""]));
  }
}

export const author: Author = { name: "test 1.0", door: "mcp-stdio" };
