/**
 * What one client was last shown of documents, or wrote there itself: so that it does not write over what somebody else
 * changed since. Bounded; of what was forgotten, as of what was never shown, nothing is said.
 *
 * Known section by section: to be shown one, or to write into one, tells nothing about the others.
 */
import type { Span } from "../plan/plan.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";
import { SeenDocument } from "./seen-document.ts";

/** Without `before` it was made, without `after` it was taken away. */
export interface Written {
  readonly path: DocumentPath;
  readonly before?: Document | undefined;
  readonly after?: Document | undefined;
}

export class SeenDocuments {
  /** The one that was used last stands last. */
  readonly #known = new Map<DocumentPath, SeenDocument>();

  shown(document: Document, within: Span): void {
    this.#use(document.path).shown(document, within);
    this.#makeRoom();
  }

  /** All that one change wrote. What it is about comes first; the others only followed it, and may be unknown. */
  wrote(change: readonly Written[]): void {
    const gone = change.find(({ after }) => after === undefined);
    for (const [at, { path, before, after }] of change.entries()) {
      if (!after) continue;
      // A document that moves takes along what is known of it.
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

  /** Whether something in there is not as it is known. */
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
/** Of all of them, in characters: up to two versions of each are held, which share most of their text. */
const lengthMax = 4_000_000;
