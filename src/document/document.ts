/**
 * A document at one moment: its text, and what is parsed from it, lazily and once.
 *
 * Documents are immutable. An edit makes a new one that reuses as much of the old parse as possible, so a step in a
 * list of ten thousand tasks does not parse ten thousand tasks. To look at a part, slice the document itself: its whole
 * text is assembled only when asked for.
 */
import type { Splice } from "../plan/edit/splice.ts";
import type { Sliceable } from "../std/sliceable.ts";
import { sha256OfPieces } from "../world/files/hash.ts";
import type { DocumentPath } from "./address.ts";
import { readSections, type Sections } from "./section/sections.ts";
import { TaskList } from "./task-list.ts";
import { LongText } from "./text/long-text.ts";

export class Document implements Sliceable {
  #hash: string | undefined;
  #tasks: TaskList | undefined;
  #sections: Sections | undefined;
  /** A weak reference, so that holding an old version does not keep every later one in memory. */
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

  /** The length of its text. */
  get length(): number {
    return this.content.length;
  }

  slice(start: number, end: number): string {
    return this.content.slice(start, end);
  }

  /** The whole text in UTF-8, in pieces. */
  get encoded(): readonly Uint8Array[] {
    return this.content.encoded;
  }

  /** In bytes. */
  get size(): number {
    return this.encoded.reduce((sum, { length }) => sum + length, 0);
  }

  /** The hash of its bytes; an editor passes it to say which version they saw. */
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
   * The same splices give the same document, so deciding on an edit and applying it share the work. `sections` are
   * those of the new text, if they have been read already.
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

/** The beginning of a document's hash: enough to tell versions apart, for a quarter of the tokens. */
export function shortHash({ hash }: Document): string {
  return hash.slice(0, 16);
}
