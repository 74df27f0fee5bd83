/**
 * A folder tree seen through one pinned root. Every access walks the path component by component and never follows a
 * link, so even if a path is swapped meanwhile, nothing outside is touched.
 *
 * Folders stay open between calls, for speed, until `release`. Callers never keep such a folder: it is lent for one
 * piece of work (`withFolder`, `withParent`) and stays open until that finishes. Whoever needs a folder for longer
 * opens it with `openFolder` and closes it. What the walk finds wrong is thrown as a `TreeError` that carries the
 * problem in words for people.
 */
import { assert } from "../../std/assert.ts";
import type { Problem } from "../../std/problem.ts";
import { errnoOf } from "../files/errno.ts";
import type { File, Files, Folder, LentFolder, Stat } from "../files/files.ts";
import {
  crossDevice,
  fileTooLarge,
  irregularFile,
  linkProblem,
  rootProblem,
  TreeError,
  treeErrorFrom,
} from "./tree-error.ts";

/** A name in an open folder; nothing needs to exist there. */
export interface FolderEntry {
  readonly folder: LentFolder;
  readonly name: string;
}

/** An open folder shared by several users. It is closed once it is no longer kept and nobody uses it. */
interface SharedFolder {
  readonly folder: Folder;
  users: number;
  isKept: boolean;
}

/** How many folders a tree keeps open for later. Folders in use at the moment are not limited by it. */
const foldersKeptMax = 64;

export class Tree {
  /** The kept folders by path, oldest opened first. */
  readonly #kept = new Map<string, SharedFolder>();
  readonly #root: SharedFolder;

  private constructor(
    readonly files: Files,
    root: Folder,
    readonly device: number,
    private readonly keptMax: number,
  ) {
    this.#root = { folder: root, users: 0, isKept: true };
  }

  static open(files: Files, path: string, keptMax = foldersKeptMax): Tree {
    try {
      const root = files.openRoot(path);
      return new Tree(files, root, files.statOf(root).device, keptMax);
    } catch (error) {
      throw rootProblem(path, error);
    }
  }

  /** The root's path when it was opened, with links resolved. */
  get path(): string {
    return this.files.pathOf(this.#root.folder);
  }

  /**
   * Lends the folder at `path` ("" is the root) until `work` has finished; if it returns a promise, until that settles.
   * Returns `undefined` when the folder does not exist. Throws when it is not a folder.
   */
  withFolder<T>(path: string, work: (folder: LentFolder) => T): T | undefined {
    const shared = this.#borrow(path);
    if (!shared) return undefined;
    let result: T;
    try {
      result = work(shared.folder);
    } catch (error) {
      this.#giveBack(shared);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.#giveBack(shared)) as T;
    this.#giveBack(shared);
    return result;
  }

  /** Like `withFolder`, for the parent folder of `path`. */
  withParent<T>(path: string, work: (entry: FolderEntry) => T): T | undefined {
    const at = path.lastIndexOf("/");
    const name = path.slice(at + 1);
    return this.withFolder(at < 0 ? "" : path.slice(0, at), (folder) => work({ folder, name }));
  }

  /** Opens a folder (not the root) for the caller to close; `undefined` when it does not exist. */
  openFolder(path: string): Folder | undefined {
    return this.withParent(path, ({ folder, name }) => this.#enter(folder, name, path));
  }

  hasFolder(path: string): boolean {
    return this.withFolder(path, () => true) ?? false;
  }

  stat(path: string): Stat | undefined {
    return this.withParent(path, ({ folder, name }) =>
      this.#telling(path, () => this.files.stat(folder, name)),
    );
  }

  /** Opens a regular file for reading; `undefined` when it does not exist. The caller closes it. */
  open(path: string): { file: File; stat: Stat } | undefined {
    return this.withParent(path, (entry) => {
      const found = this.#telling(path, () => this.files.stat(entry.folder, entry.name));
      if (!found) return undefined;
      this.#mustBeRegular(found, path, entry);
      return this.#openNow(entry, path);
    });
  }

  /**
   * Like `open`, without the stat beforehand, which costs as much as opening. Use it only for a path where a regular
   * file was seen before: the stat keeps us from opening devices, some of which act when opened.
   */
  openAgain(path: string): { file: File; stat: Stat } | undefined {
    return this.withParent(path, (entry) => this.#openNow(entry, path));
  }

  /** `undefined` when somebody removed the file since it was seen. */
  #openNow(entry: FolderEntry, path: string): { file: File; stat: Stat } | undefined {
    try {
      return this.#openRegular(entry, path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error instanceof TreeError ? error : treeErrorFrom(path, error);
    }
  }

  read(path: string, bytesMax: number): { bytes: Uint8Array; stat: Stat } | undefined {
    const opened = this.open(path);
    if (!opened) return undefined;
    try {
      if (opened.stat.size > bytesMax) throw new TreeError(fileTooLarge(path, opened.stat.size, bytesMax));
      // Reads one byte more than the expected size, so that a file that grew meanwhile is noticed by its length.
      return { bytes: this.files.read(opened.file, 0, opened.stat.size + 1), stat: opened.stat };
    } finally {
      this.files.close(opened.file);
    }
  }

  /** Names in a folder; none when it does not exist. */
  list(path: string): readonly string[] {
    return this.withFolder(path, (folder) => this.#telling(path, () => this.files.list(folder))) ?? [];
  }

  /** Makes the folder `path` unless it exists. Its parent must exist. */
  make(path: string): void {
    const isParentThere = this.withParent(path, ({ folder, name }) => {
      try {
        this.files.makeFolder(folder, name);
      } catch (error) {
        if (errnoOf(error) !== "EEXIST") throw treeErrorFrom(path, error);
      }
      return true;
    });
    assert(isParentThere, `the folder above ${path} exists`);
    assert(this.hasFolder(path), `${path} exists after it was made`);
  }

  /** Throws when somebody removed the root while we hold it open. */
  mustExist(): void {
    if (this.files.statOf(this.#root.folder).links === 0) throw rootProblem(this.path, errnoGone());
  }

  /** Drops every folder kept open, so that the next access starts from the root again. */
  release(): void {
    const folders = [...this.#kept.values()];
    this.#kept.clear();
    for (const shared of folders) this.#stopKeeping(shared);
  }

  close(): void {
    this.release();
    this.#stopKeeping(this.#root);
  }

  #borrow(path: string): SharedFolder | undefined {
    assert(this.#root.isKept, "the tree is open");
    const shared = path === "" ? this.#root : (this.#kept.get(path) ?? this.#openShared(path));
    if (shared) shared.users += 1;
    return shared;
  }

  #giveBack(shared: SharedFolder): void {
    shared.users -= 1;
    if (!shared.isKept && shared.users === 0) this.files.close(shared.folder);
  }

  #openShared(path: string): SharedFolder | undefined {
    const folder = this.openFolder(path);
    if (!folder) return undefined;
    if (this.#kept.size >= this.keptMax) this.#forgetOldest();
    const shared = { folder, users: 0, isKept: true };
    this.#kept.set(path, shared);
    return shared;
  }

  /** Drops the folder opened longest ago: opening it again costs one call per component. */
  #forgetOldest(): void {
    const [path, shared] = this.#kept.entries().next().value ?? [];
    if (path === undefined || !shared) return;
    this.#kept.delete(path);
    this.#stopKeeping(shared);
  }

  #stopKeeping(shared: SharedFolder): void {
    shared.isKept = false;
    if (shared.users === 0) this.files.close(shared.folder);
  }

  #enter(at: LentFolder, name: string, path: string): Folder | undefined {
    try {
      const folder = this.files.openFolder(at, name);
      if (this.files.statOf(folder).device === this.device) return folder;
      this.files.close(folder);
    } catch (error) {
      const code = errnoOf(error);
      if (code === "ENOENT") return undefined;
      if (code !== "ENOTDIR" && code !== "ELOOP") throw treeErrorFrom(path, error);
      throw new TreeError(this.#notFolder(at, name, path));
    }
    throw new TreeError(crossDevice(path));
  }

  #notFolder(at: LentFolder, name: string, path: string): Problem {
    if (this.files.stat(at, name)?.kind === "link") return linkProblem(path, this.#target(at, name));
    return {
      code: "PATH_NOT_DIRECTORY",
      path,
      message: `${path} is a file, so nothing can be inside it`,
      hint: "Choose another folder, or delete or rename that file first.",
    };
  }

  #mustBeRegular(found: Stat, path: string, place: FolderEntry): void {
    if (found.device !== this.device) throw new TreeError(crossDevice(path));
    switch (found.kind) {
      case "file":
        return;
      case "link":
        throw new TreeError(linkProblem(path, this.#target(place.folder, place.name)));
      case "folder":
        throw new TreeError({
          code: "PATH_IS_DIRECTORY",
          path,
          message: `${path} is a folder; operations are on files`,
          hint: "Name a file inside it. Folders are made as needed and are never deleted.",
        });
      case "other":
        throw new TreeError(irregularFile(path));
    }
  }

  #openRegular(place: FolderEntry, path: string): { file: File; stat: Stat } {
    const file = this.files.open(place.folder, place.name, "read");
    // The path may have been swapped between the stat and the open: only the opened file counts.
    const stat = this.files.statOf(file);
    try {
      this.#mustBeRegular(stat, path, place);
    } catch (error) {
      this.files.close(file);
      throw error;
    }
    return { file, stat };
  }

  #target(at: LentFolder, name: string): string {
    try {
      return this.files.targetOf(at, name);
    } catch {
      return "(gone meanwhile)";
    }
  }

  #telling<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof TreeError ? error : treeErrorFrom(path, error);
    }
  }
}

function errnoGone(): Error {
  return Object.assign(new Error("removed meanwhile"), { code: "ENOENT" });
}
