/**
 * New contents on their way: written beside the documents first, then given their names in one step each.
 *
 * A document that is created never replaces anything: a link refuses where a rename would not.
 */

import type { DocumentPath } from "../document/address.ts";
import { assert } from "../std/assert.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Folder, Stat } from "../world/files.ts";
import { notPermitted, type Tree, TreeError } from "../world/tree.ts";
import { filePath } from "./shelf.ts";
import type { StoreRoom } from "./store-room.ts";

export interface Placement {
  readonly path: DocumentPath;
  /** All of it, piece by piece; nothing to remove it. */
  readonly encoded?: readonly Uint8Array[];
  /** There is no such document yet. */
  readonly isNew: boolean;
  readonly mode: number;
  /** When it is said to be written; nothing leaves that to the machine. */
  readonly modifiedMs?: number;
}

interface Staged extends Placement {
  readonly name: string;
  readonly file: File;
}

export class Staging {
  readonly #staged: Staged[] = [];
  /** Names that are in use in the room. */
  readonly #names = new Set<string>();
  readonly #removed: DocumentPath[];
  #isUntouched = true;

  private constructor(
    private readonly tree: Tree,
    private readonly room: StoreRoom,
    placements: readonly Placement[],
  ) {
    this.#removed = placements.filter(({ encoded }) => !encoded).map(({ path }) => path);
  }

  /** Written, not yet durable: for that, sync `handles`. */
  static write(
    { tree, room }: { readonly tree: Tree; readonly room: StoreRoom },
    placements: readonly Placement[],
    newName: () => string,
  ): Staging {
    const staging = new Staging(tree, room, placements);
    try {
      for (const placement of placements) staging.#write(placement, newName);
      return staging;
    } catch (error) {
      staging.discard();
      throw error;
    }
  }

  get handles(): readonly File[] {
    return this.#staged.map(({ file }) => file);
  }

  /** Those of the documents that are not there yet. */
  makeFolders(): void {
    for (const { path } of this.#staged)
      for (const folder of foldersAbove(filePath(path)))
        if (!this.tree.folder(folder)) this.tree.make(folder);
  }

  /** Nothing of the documents was changed so far. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** False when a document that was to be created is there by now: then nothing is done. */
  putInPlace(): boolean {
    const created: Staged[] = [];
    for (const one of this.#staged.filter(({ isNew }) => isNew)) {
      if (!this.#create(one)) {
        for (const made of created) this.#unlinkFrom(made.path);
        this.#isUntouched = true;
        return false;
      }
      created.push(one);
    }
    for (const one of this.#staged.filter(({ isNew }) => !isNew)) this.#replace(one);
    for (const path of this.#removed) this.#unlinkFrom(path);
    return true;
  }

  /** What the documents' files look like now. */
  stats(): { readonly path: DocumentPath; readonly stat: Stat }[] {
    return this.#staged.map(({ path, file }) => ({ path, stat: this.tree.files.statOf(file) }));
  }

  /** Closes everything and leaves nothing behind in the room. */
  discard(): void {
    const { files } = this.tree;
    for (const { file } of this.#staged) files.close(file);
    this.#staged.length = 0;
    for (const name of this.#names) {
      try {
        files.unlink(this.room.staged, name);
      } catch {
        // Whoever takes the next turn clears the room.
      }
    }
    this.#names.clear();
  }

  #write({ encoded, ...placement }: Placement, newName: () => string): void {
    if (!encoded) return;
    const { files } = this.tree;
    const name = newName();
    const file = files.open(this.room.staged, name, "create");
    this.#names.add(name);
    this.#staged.push({ ...placement, encoded, name, file });
    for (const piece of encoded) files.write(file, piece);
    files.chmod(file, placement.mode);
    if (placement.modifiedMs !== undefined) files.setModified(file, placement.modifiedMs);
  }

  #create({ path, name }: Staged): boolean {
    const { files } = this.tree;
    const { staged } = this.room;
    const place = this.#placeOf(path);
    try {
      telling(path, () => files.link(staged, name, place.folder, place.name));
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return false;
      if (!linksUnsupported(error)) throw error;
      // Without hard links no call refuses to replace: this look is all there is.
      if (files.stat(place.folder, place.name)) return false;
      files.rename(staged, name, place.folder, place.name);
      this.#isUntouched = false;
      this.#names.delete(name);
      return true;
    }
    this.#isUntouched = false;
    files.unlink(staged, name);
    this.#names.delete(name);
    return true;
  }

  #replace({ path, name }: Staged): void {
    const place = this.#placeOf(path);
    telling(path, () => this.tree.files.rename(this.room.staged, name, place.folder, place.name));
    this.#isUntouched = false;
    this.#names.delete(name);
  }

  #unlinkFrom(path: DocumentPath): void {
    const place = this.tree.parent(filePath(path));
    if (!place) return;
    try {
      telling(path, () => this.tree.files.unlink(place.folder, place.name));
      this.#isUntouched = false;
    } catch (error) {
      // Somebody else has just removed it, which is all we wanted.
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }

  #placeOf(path: DocumentPath): { folder: Folder; name: string } {
    const place = this.tree.parent(filePath(path));
    assert(place, `the folder of ${path} is there`);
    return place;
  }
}

/** The folders that a file lies in, the outermost first: `a`, `a/b` of `a/b/c.md`. */
export function foldersAbove(file: string): string[] {
  const names = file.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function telling(path: DocumentPath, work: () => void): void {
  try {
    work();
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (!["EACCES", "EPERM", "EROFS"].includes(code) || linksUnsupported(error)) throw error;
    throw new TreeError(notPermitted(path, code), { cause: error });
  }
}

function linksUnsupported(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "");
}
