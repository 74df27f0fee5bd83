/**
 * What one client last saw of documents, or wrote itself, so that it does not overwrite what somebody else changed
 * since. Bounded: nothing is reported about what was forgotten or never shown.
 *
 * Tracked per section: seeing one section, or writing to it, says nothing about the others.
 */
import type { Span } from "../plan/plan.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";
import { SeenDocument } from "./seen-document.ts";

/** Without `before` it was created, without `after` it was removed. */
export interface WrittenDocument {
  readonly path: DocumentPath;
  readonly before?: Document | undefined;
  readonly after?: Document | undefined;
}

export class SeenDocuments {
  /** Most recently used last. */
  readonly #known = new Map<DocumentPath, SeenDocument>();

  shown(document: Document, within: Span): void {
    this.#use(document.path).shown(document, within);
    this.#makeRoom();
  }

  /**
   * Everything one change wrote. The document that the change is about comes first. The others were only updated along
   * with it, and need not be known.
   */
  wrote(change: readonly WrittenDocument[]): void {
    const gone = change.find(({ after }) => after === undefined);
    for (const [at, { path, before, after }] of change.entries()) {
      if (!after) continue;
      // A document that moves keeps what is known about it.
      const moved = before === undefined && gone?.before ? this.#known.get(gone.path) : undefined;
      if (moved && gone) {
        this.#known.delete(gone.path);
        this.#known.set(path, moved);
        moved.wrote(gone.before, after);
      } else if (at === 0 || this.#known.has(path)) this.#use(path).wrote(before, after);
    }
    if (gone) this.#known.delete(gone.path);
    this.#makeRoom();
  }

  /** Whether something in that part differs from what is known. */
  isChanged(document: Document, part: { readonly whole: Span; readonly isTextOnly: boolean }): boolean {
    return this.#known.get(document.path)?.isChanged(document, part) ?? false;
  }

  #use(path: DocumentPath): SeenDocument {
    const known = this.#known.get(path) ?? new SeenDocument();
    this.#known.delete(path);
    this.#known.set(path, known);
    return known;
  }

  #makeRoom(): void {
    let length = [...this.#known.values()].reduce((sum, known) => sum + known.length, 0);
    for (const [path, known] of this.#known) {
      if (this.#known.size <= documentsMax && length <= lengthMax) return;
      this.#known.delete(path);
      length -= known.length;
    }
  }
}

const documentsMax = 32;
/** The total length in characters. Up to two versions of each document are held, which share most of their text. */
const lengthMax = 4_000_000;
