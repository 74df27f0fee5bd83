/**
 * A document as it stood at one moment: its text, and what is read from it, each read once and only when asked for.
 *
 * Values never change. An edit makes a new one that keeps what it can of the old one's reading, so that a step in a
 * list of ten thousand tasks does not read ten thousand tasks. Whoever looks at a piece of it slices the document itself:
 * its text is put together for those who want all of it.
 */
import type { Splice } from "../plan/splice.ts";
import type { Sliceable } from "../std/sliceable.ts";
import { sha256OfPieces } from "../world/hash.ts";
import type { DocumentPath } from "./address.ts";
import { LongText } from "./long-text.ts";
import { readSections, type Sections } from "./sections.ts";
import { TaskList } from "./task-list.ts";

export class Document implements Sliceable {
  #hash: string | undefined;
  #tasks: TaskList | undefined;
  #sections: Sections | undefined;
  /** Weakly: whoever holds an old version does not hold all that came after it. */
  #edited: { readonly by: readonly Splice[]; readonly document: WeakRef<Document> } | undefined;

  private constructor(
    readonly path: DocumentPath,
    private readonly content: LongText,
  ) {}

  static of(path: DocumentPath, text: string): Document {
    return new Document(path, LongText.of(text));
  }

  get text(): string {
    return this.content.whole;
  }

  /** Of its text. */
  get length(): number {
    return this.content.length;
  }

  slice(start: number, end: number): string {
    return this.content.slice(start, end);
  }

  /** All of it in UTF-8, piece by piece. */
  get encoded(): readonly Uint8Array[] {
    return this.content.encoded;
  }

  /** In bytes. */
  get size(): number {
    return this.encoded.reduce((sum, { length }) => sum + length, 0);
  }

  /** Of its bytes: whoever edits a document says which one they saw. */
  get hash(): string {
    this.#hash ??= sha256OfPieces(this.encoded);
    return this.#hash;
  }

  get tasks(): TaskList {
    this.#tasks ??= TaskList.read(this.text);
    return this.#tasks;
  }

  get sections(): Sections {
    this.#sections ??= readSections(this.text);
    return this.#sections;
  }

  /**
   * The same splices make the same document: who decides on them and who carries them out share the work. `sections` are
   * those of the new text, where somebody has read them already.
   */
  spliced(splices: readonly Splice[], { sections }: { readonly sections?: Sections } = {}): Document {
    const known = this.#edited?.by === splices ? this.#edited.document.deref() : undefined;
    if (known) return known;
    const document = new Document(this.path, this.content.spliced(splices));
    document.#tasks = this.#tasks?.spliced(splices, { before: this, after: document });
    document.#sections = sections;
    this.#edited = { by: splices, document: new WeakRef(document) };
    return document;
  }
}
