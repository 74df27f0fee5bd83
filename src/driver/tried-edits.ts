/**
 * Edits that an agent tried to make itself and was declined, as operations of a reply.
 *
 * After a decline its files are as they were, so every edit of a turn is one of the same text. Edits of different lines of
 * a file add up. A later one that changes lines of an earlier one, or adds at the same place, stands in its place there;
 * so does one that is of the whole file.
 */

import { applyPatch } from "../change/patch.ts";
import { canonicalPath } from "../change/path.ts";
import { counted } from "../std/counted.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Tried } from "./driver.ts";
import { recordField, textField } from "./event-fields.ts";
import { joinSpots, type Spot, spotsIn, writeSpots } from "./patch-spots.ts";

/** The desk, as the edits found it. */
export interface EditedDesk {
  readonly folder: string;
  /** Nothing where there is no such file, or none that can be read as text. */
  read(path: string): Uint8Array | undefined;
}

export class TriedEdits {
  readonly #desk: EditedDesk;
  readonly #edits = new Map<string, Edit>();

  constructor(desk: EditedDesk) {
    this.#desk = desk;
  }

  /** What an edit says of each of its files → what all edits come to at those paths. */
  take(changes: readonly unknown[]): readonly Tried[] {
    const paths = changes.map(recordField).flatMap((change) => this.#note(change));
    return [...new Set(paths)].map((path) => ({ path, operations: this.#operationsAt(path) }));
  }

  /** The paths that it concerns. */
  #note({ path: given, kind, diff }: Change): readonly string[] {
    const path = this.#pathOf(given);
    const text = textField(diff) ?? "";
    const { type, move_path } = recordField(kind);
    switch (type) {
      case "add":
        this.#replace(path, { is: "whole", text });
        return [path];
      case "delete":
        this.#replace(path, { is: "gone" });
        return [path];
      default:
        return typeof move_path === "string"
          ? this.#move(path, this.#pathOf(move_path), text.replace(movedTo, ""))
          : this.#change(path, text);
    }
  }

  #change(path: string, diff: string): readonly string[] {
    const before = this.#edits.get(path);
    const earlier = before?.is === "spots" ? before : { spots: [], times: 0 };
    const spots = spotsIn(diff);
    if (spots === undefined) this.#replace(path, { is: "strange", diff });
    else
      this.#replace(path, {
        is: "spots",
        spots: joinSpots(earlier.spots, spots),
        times: earlier.times + 1,
      });
    return [path];
  }

  /** No operation moves a file: it is made anew at the one place, and removed at the other. */
  #move(from: string, to: string, diff: string): readonly string[] {
    if (diff.trim() !== "") this.#change(from, diff);
    const text = this.#textAt(from);
    this.#replace(from, text === undefined ? { is: "lost", to } : { is: "gone" });
    if (text !== undefined) this.#replace(to, { is: "whole", text });
    return text === undefined ? [from] : [from, to];
  }

  /** As the edits leave it. */
  #textAt(path: string): string | undefined {
    const bytes = this.#desk.read(path);
    const edit = this.#edits.get(path);
    if (bytes === undefined) return undefined;
    if (edit?.is !== "spots") return edit === undefined ? decodeUtf8(bytes) : undefined;
    const edited = applyPatch(bytes, writeSpots(edit.spots));
    return "bytes" in edited ? decodeUtf8(edited.bytes) : undefined;
  }

  #operationsAt(path: string): readonly object[] {
    const edit = this.#edits.get(path);
    const at = (operation: string, description: string, body: object = {}) => [
      { operation, file_path: path, description, ...body },
    ];
    switch (edit?.is) {
      case "whole": {
        const isThere = this.#desk.read(path) !== undefined;
        return at(isThere ? "edit" : "create", "Taken from an edit of the agent", { content: edit.text });
      }
      case "gone":
        return at("delete", "Taken from an edit of the agent");
      case "spots": {
        const description = `Taken from ${counted(edit.times, "edit")} of the agent`;
        return at("edit", description, { patch: writeSpots(edit.spots) });
      }
      case "strange":
        return at("edit", "Taken from an edit of the agent", { patch: edit.diff });
      case "lost":
        return at("edit", "Taken from an edit of the agent", { edit_instructions: `Move it to ${edit.to}` });
      default:
        return [];
    }
  }

  /** Behind the others: a later edit may need an earlier one. */
  #replace(path: string, edit: Edit): void {
    this.#edits.delete(path);
    this.#edits.set(path, edit);
  }

  /** From the desk on; what is outside stays as it is, and is refused by whoever reads the operations. */
  #pathOf(given: unknown): string {
    const path = textField(given) ?? "";
    const canonical = canonicalPath(path, this.#desk.folder);
    return "path" in canonical ? canonical.path : path;
  }
}

type Change = Readonly<Record<string, unknown>>;

type Edit =
  | { readonly is: "whole"; readonly text: string }
  | { readonly is: "gone" }
  | { readonly is: "spots"; readonly spots: readonly Spot[]; readonly times: number }
  /** A diff that we cannot read: it is refused with the reply, and told. */
  | { readonly is: "strange"; readonly diff: string }
  /** To be moved, and its text cannot be had: it is refused with the reply, and told. */
  | { readonly is: "lost"; readonly to: string };

/** Stands behind the diff of a file that is moved. */
const movedTo = /\n*Moved to: [^\n]*$/;
