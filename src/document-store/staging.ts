/**
 * New contents are written to a staging folder beside the documents first, then each is moved into place in one step.
 *
 * Creating a document never replaces anything: a hard link fails if the name exists, a rename would not.
 */

import type { DocumentPath } from "../document/address.ts";
import { assert } from "../std/assert.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { File, Stat } from "../world/files/files.ts";
import type { Tree } from "../world/folders/tree.ts";
import { notPermitted, TreeError } from "../world/folders/tree-error.ts";
import { filePath } from "./shelf.ts";
import type { StoreRoom } from "./store-room.ts";

export interface Placement {
  readonly path: DocumentPath;
  /** The whole content, in pieces; missing to remove the document. */
  readonly encoded?: readonly Uint8Array[];
  /** The document does not exist yet. */
  readonly isNew: boolean;
  readonly mode: number;
  /** The modification time to set; without it the system's time stays. */
  readonly modifiedMs?: number;
}

interface Staged extends Placement {
  readonly name: string;
  readonly file: File;
}

export class Staging {
  readonly #staged: Staged[] = [];
  /** Names in use in the staging folder. */
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

  /** Writes the contents without making them durable; for that, sync `handles`. */
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

  /** Creates the folders of the documents where they are missing. */
  makeFolders(): void {
    for (const { path } of this.#staged)
      for (const folder of foldersAbove(filePath(path)))
        if (!this.tree.hasFolder(folder)) this.tree.make(folder);
  }

  /** Whether none of the documents has been changed so far. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** Returns false, and changes nothing, if a document to be created exists by now. */
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

  /** The file stats of the documents now. */
  stats(): { readonly path: DocumentPath; readonly stat: Stat }[] {
    return this.#staged.map(({ path, file }) => ({ path, stat: this.tree.files.statOf(file) }));
  }

  /** Closes everything and leaves nothing behind in the staging folder. */
  discard(): void {
    const { files } = this.tree;
    for (const { file } of this.#staged) files.close(file);
    this.#staged.length = 0;
    for (const name of this.#names) {
      try {
        files.unlink(this.room.staged, name);
      } catch {
        // The next write session clears the folder.
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
    const isCreated = this.tree.withParent(filePath(path), (entry) => {
      try {
        telling(path, () => files.link(staged, name, entry.folder, entry.name));
      } catch (error) {
        if (errnoOf(error) === "EEXIST") return false;
        if (!linksUnsupported(error)) throw error;
        // Without hard links, no call refuses to replace a file; this check is all we can do.
        if (files.stat(entry.folder, entry.name)) return false;
        files.rename(staged, name, entry.folder, entry.name);
        this.#isUntouched = false;
        this.#names.delete(name);
        return true;
      }
      this.#isUntouched = false;
      files.unlink(staged, name);
      this.#names.delete(name);
      return true;
    });
    assert(isCreated !== undefined, `the folder of ${path} is there`);
    return isCreated;
  }

  #replace({ path, name }: Staged): void {
    const isReplaced = this.tree.withParent(filePath(path), (entry) => {
      telling(path, () => this.tree.files.rename(this.room.staged, name, entry.folder, entry.name));
      return true;
    });
    assert(isReplaced, `the folder of ${path} is there`);
    this.#isUntouched = false;
    this.#names.delete(name);
  }

  #unlinkFrom(path: DocumentPath): void {
    this.tree.withParent(filePath(path), (entry) => {
      try {
        telling(path, () => this.tree.files.unlink(entry.folder, entry.name));
        this.#isUntouched = false;
      } catch (error) {
        // Somebody else has just removed it, which is what we wanted.
        if (errnoOf(error) !== "ENOENT") throw error;
      }
    });
  }
}

/** The folders a file lies in, outermost first: `a`, `a/b` for `a/b/c.md`. */
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
