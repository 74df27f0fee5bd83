/**
 * A document as it stood at one moment: its text, and what is read from it, each read once and only when asked for.
 *
 * Values never change. An edit makes a new one that keeps what it can of the old one's reading, so that a step in a
 * list of ten thousand tasks does not read ten thousand tasks.
 */
import { applySplices, type Splice } from "../plan/splice.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import type { DocumentPath } from "./address.ts";
import { readSections, type Sections } from "./sections.ts";
import { TaskList } from "./task-list.ts";

export class Document {
  #bytes: Uint8Array | undefined;
  #origin: { readonly bytes: Uint8Array; readonly splices: readonly Splice[] } | undefined;
  #hash: string | undefined;
  #tasks: TaskList | undefined;
  #sections: Sections | undefined;
  #edited: { readonly by: readonly Splice[]; readonly document: Document } | undefined;

  private constructor(
    readonly path: DocumentPath,
    readonly text: string,
  ) {}

  static of(path: DocumentPath, text: string): Document {
    return new Document(path, text);
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#origin ? spliceBytes(this.#origin) : encodeUtf8(this.text);
    this.#origin = undefined;
    return this.#bytes;
  }

  /** Of its bytes: whoever edits a document says which one they saw. */
  get hash(): string {
    this.#hash ??= sha256(this.bytes);
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

  /** The same splices make the same document: who decides on them and who carries them out share the work. */
  spliced(splices: readonly Splice[]): Document {
    if (this.#edited?.by === splices) return this.#edited.document;
    const document = this.#spliced(splices);
    this.#edited = { by: splices, document };
    return document;
  }

  #spliced(splices: readonly Splice[]): Document {
    const after = new Document(this.path, applySplices(this.text, splices));
    const kept = this.#tasks?.spliced(splices, after.text);
    if (kept) after.#tasks = kept;
    if (this.#bytes && isPlain(this, splices)) after.#origin = { bytes: this.#bytes, splices };
    return after;
  }
}

/** Where every character is a byte, a place in the text is one in the bytes: to copy these is quicker than to encode. */
function isPlain({ text, bytes }: Document, splices: readonly Splice[]): boolean {
  // Halves of one character that two splices bring together are one only in the text.
  return bytes.length === text.length && !splices.some((splice) => /[\ud800-\udfff]/.test(splice.text));
}

function spliceBytes({ bytes, splices }: { bytes: Uint8Array; splices: readonly Splice[] }): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of splices.toSorted((one, other) => one.start - other.start)) {
    pieces.push(bytes.subarray(at, start), encodeUtf8(text));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}
