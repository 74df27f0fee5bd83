/**
 * A text under several successive edits that can report at the end which splices of the original they amount to.
 *
 * It is a sequence of pieces: spans of the original, in order, and new texts between them. Whatever no edit touched is
 * the original text, byte for byte.
 */
import { applySplices, type Splice } from "../../plan/edit/splice.ts";

type Piece = { readonly start: number; readonly end: number } | { readonly added: string };

export class Pieces {
  #pieces: Piece[];
  #text: string;

  constructor(readonly original: string) {
    this.#pieces = [{ start: 0, end: original.length }];
    this.#text = original;
  }

  get text(): string {
    return this.#text;
  }

  /** A copy to edit further without changing this one. */
  copy(): Pieces {
    const copy = new Pieces(this.original);
    copy.#pieces = this.#pieces;
    copy.#text = this.#text;
    return copy;
  }

  /** Offsets refer to the current text. */
  splice(splice: Splice): void {
    const before = this.#cut(0, splice.start);
    const after = this.#cut(splice.end, this.#text.length);
    this.#pieces = [...before, { added: splice.text }, ...after];
    this.#text = applySplices(this.#text, [splice]);
  }

  /** Whether the character at the offset comes from the original. */
  isOriginal(offset: number): boolean {
    return this.#cut(offset, offset + 1).some((piece) => "start" in piece);
  }

  splices(): Splice[] {
    const splices: Splice[] = [];
    let from = 0;
    let added = "";
    const close = (to: number) => {
      if (to > from || added !== "") splices.push({ start: from, end: to, text: added });
      added = "";
    };
    for (const piece of this.#pieces) {
      if ("added" in piece) {
        added += piece.added;
        continue;
      }
      close(piece.start);
      from = piece.end;
    }
    close(this.original.length);
    return splices;
  }

  #cut(from: number, to: number): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const piece of this.#pieces) {
      const length = "added" in piece ? piece.added.length : piece.end - piece.start;
      const start = Math.max(from - at, 0);
      const end = Math.min(to - at, length);
      at += length;
      if (end <= start) continue;
      pieces.push(
        "added" in piece
          ? { added: piece.added.slice(start, end) }
          : { start: piece.start + start, end: piece.start + end },
      );
    }
    return pieces;
  }
}
