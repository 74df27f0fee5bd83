/**
 * Turns edits that an agent tried to make itself, and that were declined, into operations of a reply.
 *
 * After a decline the files are unchanged, so every edit of a turn applies to the same text. Edits of different lines
 * of a file add up. A later edit that changes lines of an earlier one, or adds at the same place, replaces the earlier
 * one there; an edit of the whole file replaces all earlier ones.
 */

import { applyPatch } from "../../change/edit/patch.ts";
import { canonicalPath } from "../../change/path.ts";
import { counted } from "../../std/counted.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { Tried } from "../driver.ts";
import { recordField, textField } from "../programs/event-fields.ts";
import { joinSpots, type Spot, spotsIn, writeSpots } from "./patch-spots.ts";

/** The desk as the edits found it. */
export interface EditedDesk {
  readonly folder: string;
  /** `undefined` when the file does not exist or cannot be read. */
  read(path: string): Uint8Array | undefined;
}

export class TriedEdits {
  readonly #desk: EditedDesk;
  readonly #edits = new Map<string, Edit>();

  constructor(desk: EditedDesk) {
    this.#desk = desk;
  }

  /** Takes one edit's changes and returns the combined result of all edits for the paths concerned. */
  take(changes: readonly unknown[]): readonly Tried[] {
    const paths = changes.map(recordField).flatMap((change) => this.#note(change));
    return [...new Set(paths)].map((path) => ({ path, operations: this.#operationsAt(path) }));
  }

  /** Records one change and returns the paths it affects. */
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

  /** No operation moves a file: it is created at the new path and deleted at the old one. */
  #move(from: string, to: string, diff: string): readonly string[] {
    if (diff.trim() !== "") this.#change(from, diff);
    const text = this.#textAt(from);
    this.#replace(from, text === undefined ? { is: "lost", to } : { is: "gone" });
    if (text !== undefined) this.#replace(to, { is: "whole", text });
    return text === undefined ? [from] : [from, to];
  }

  /** The text as the edits leave it. */
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

  /** Moves the path to the end: a later edit may need an earlier one. */
  #replace(path: string, edit: Edit): void {
    this.#edits.delete(path);
    this.#edits.set(path, edit);
  }

  /** Relative to the desk. A path outside stays as it is, and is rejected when the operations are read. */
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
  /** A diff that we cannot read: it is rejected with the reply, and reported. */
  | { readonly is: "strange"; readonly diff: string }
  /** A moved file whose text is not available: it is rejected with the reply, and reported. */
  | { readonly is: "lost"; readonly to: string };

/** Comes after the diff of a moved file. */
const movedTo = /\n*Moved to: [^\n]*$/;
