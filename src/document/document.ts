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
  #hash: string | undefined;
  #tasks: TaskList | undefined;
  #sections: Sections | undefined;

  private constructor(
    readonly path: DocumentPath,
    readonly text: string,
  ) {}

  static of(path: DocumentPath, text: string): Document {
    return new Document(path, text);
  }

  get bytes(): Uint8Array {
    this.#bytes ??= encodeUtf8(this.text);
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

  spliced(splices: readonly Splice[]): Document {
    const after = new Document(this.path, applySplices(this.text, splices));
    const kept = this.#tasks?.spliced(splices, after.text);
    if (kept) after.#tasks = kept;
    return after;
  }
}
