/**
 * A folder tree seen through one pinned root: every access walks the path component by component and never
 * follows a link, so a path can be swapped under our feet and still nothing outside is touched.
 *
 * Folders stay open between calls, for speed, until `release`. What the walk finds wrong is thrown as a
 * `TreeError` that carries the problem in a person's words.
 */
import { assert } from "../std/assert.ts";
import { counted, grouped } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";
import { errnoOf } from "./errno.ts";
import type { File, Files, Folder, Stat } from "./files.ts";

/** Bounds the descriptors a tree holds; a walk through more folders than this reopens some of them. */
const foldersOpenMax = 64;

export class Tree {
  readonly #open = new Map<string, Folder>();

  private constructor(
    readonly files: Files,
    readonly root: Folder,
    readonly device: number,
  ) {}

  static open(files: Files, path: string): Tree {
    try {
      const root = files.openRoot(path);
      return new Tree(files, root, files.statOf(root).device);
    } catch (error) {
      throw rootProblem(path, error);
    }
  }

  /** The folder that holds `path`, and its name there; nothing when that folder does not exist. */
  parent(path: string): { folder: Folder; name: string } | undefined {
    const at = path.lastIndexOf("/");
    const folder = this.folder(at < 0 ? "" : path.slice(0, at));
    return folder && { folder, name: path.slice(at + 1) };
  }

  /** The open folder at `path` ("" is the root); nothing when it does not exist. Throws when it is no folder. */
  folder(path: string): Folder | undefined {
    if (path === "") return this.root;
    const known = this.#open.get(path);
    if (known) return known;
    const above = this.parent(path);
    if (!above) return undefined;
    const opened = this.#enter(above.folder, above.name, path);
    if (opened) this.#keep(path, opened);
    return opened;
  }

  /** Like `folder`, for any but the root, opened for the caller, who closes it. */
  openFolder(path: string): Folder | undefined {
    const above = this.parent(path);
    return above && this.#enter(above.folder, above.name, path);
  }

  stat(path: string): Stat | undefined {
    const place = this.parent(path);
    return place && this.#telling(path, () => this.files.stat(place.folder, place.name));
  }

  /** Opens a regular file to read; nothing when it is not there. The caller closes it. */
  open(path: string): { file: File; stat: Stat } | undefined {
    const place = this.parent(path);
    if (!place) return undefined;
    const found = this.#telling(path, () => this.files.stat(place.folder, place.name));
    if (!found) return undefined;
    this.#mustBeRegular(found, path, place);
    return this.#openNow(place, path);
  }

  /**
   * Like `open`, without the look beforehand, which costs as much as the opening. Only for a path where a regular
   * file was seen before: the look keeps us from opening devices, some of which act when they are opened.
   */
  openAgain(path: string): { file: File; stat: Stat } | undefined {
    const place = this.parent(path);
    return place && this.#openNow(place, path);
  }

  /** Nothing when somebody removed it since it was seen. */
  #openNow(place: { folder: Folder; name: string }, path: string): { file: File; stat: Stat } | undefined {
    try {
      return this.#openRegular(place, path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error instanceof TreeError ? error : told(path, error);
    }
  }

  read(path: string, bytesMax: number): { bytes: Uint8Array; stat: Stat } | undefined {
    const opened = this.open(path);
    if (!opened) return undefined;
    try {
      if (opened.stat.size > bytesMax) throw new TreeError(tooLarge(path, opened.stat.size, bytesMax));
      // One byte more than promised: a file that grew meanwhile is noticed by its length.
      return { bytes: this.files.read(opened.file, 0, opened.stat.size + 1), stat: opened.stat };
    } finally {
      this.files.close(opened.file);
    }
  }

  /** Names in a folder; none when it does not exist. */
  list(path: string): readonly string[] {
    const folder = this.folder(path);
    return folder ? this.#telling(path, () => this.files.list(folder)) : [];
  }

  /** Makes the folder `path`, whose parent exists, unless it is there already. */
  make(path: string): Folder {
    const place = this.parent(path);
    assert(place, `the folder above ${path} exists`);
    try {
      this.files.makeFolder(place.folder, place.name);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw told(path, error);
    }
    const made = this.folder(path);
    assert(made, `${path} exists after it was made`);
    return made;
  }

  /** Throws when somebody removed the root while we hold it open. */
  mustExist(): void {
    if (this.files.statOf(this.root).links === 0)
      throw rootProblem(this.files.pathOf(this.root), errnoGone());
  }

  /** Closes what the walk kept open, so that the next access starts from the root again. */
  release(): void {
    for (const folder of this.#open.values()) this.files.close(folder);
    this.#open.clear();
  }

  close(): void {
    this.release();
    this.files.close(this.root);
  }

  #enter(at: Folder, name: string, path: string): Folder | undefined {
    try {
      const folder = this.files.openFolder(at, name);
      if (this.files.statOf(folder).device === this.device) return folder;
      this.files.close(folder);
    } catch (error) {
      const code = errnoOf(error);
      if (code === "ENOENT") return undefined;
      if (code !== "ENOTDIR" && code !== "ELOOP") throw told(path, error);
      throw new TreeError(this.#notFolder(at, name, path));
    }
    throw new TreeError(crossDevice(path));
  }

  #notFolder(at: Folder, name: string, path: string): Problem {
    if (this.files.stat(at, name)?.kind === "link") return linkProblem(path, this.#target(at, name));
    return {
      code: "PATH_NOT_DIRECTORY",
      path,
      message: `${path} is a file, so nothing can be inside it`,
      hint: "Choose another folder, or delete or rename that file first.",
    };
  }

  #mustBeRegular(found: Stat, path: string, place: { folder: Folder; name: string }): void {
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
        throw new TreeError(notRegular(path));
    }
  }

  #openRegular(place: { folder: Folder; name: string }, path: string): { file: File; stat: Stat } {
    const file = this.files.open(place.folder, place.name, "read");
    // What was looked at and what was opened may differ: only the open one counts.
    const stat = this.files.statOf(file);
    try {
      this.#mustBeRegular(stat, path, place);
    } catch (error) {
      this.files.close(file);
      throw error;
    }
    return { file, stat };
  }

  #target(at: Folder, name: string): string {
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
      throw error instanceof TreeError ? error : told(path, error);
    }
  }

  #keep(path: string, folder: Folder): void {
    if (this.#open.size >= foldersOpenMax) this.#closeOldest();
    this.#open.set(path, folder);
  }

  /** Closes the folder opened longest ago: reopening it costs one call a component. */
  #closeOldest(): void {
    const [path, folder] = this.#open.entries().next().value ?? [];
    if (path === undefined || !folder) return;
    this.files.close(folder);
    this.#open.delete(path);
  }
}

/** Something in the tree that is not as it must be; `code` is the problem's. */
export class TreeError extends Error {
  override name = "TreeError";
  readonly code: string;

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(problem.message, options);
    this.code = problem.code;
  }
}

/** Turns a refusal by the system into a problem with the path; anything else goes on as it is. */
function told(path: string, error: unknown): unknown {
  const code = errnoOf(error);
  if (code === "ENOENT" && path === "") return rootProblem("the root", error);
  if (code === "EXDEV") return new TreeError(crossDevice(path), { cause: error });
  if (code === "ELOOP") return new TreeError(linkProblem(path, "somewhere else"), { cause: error });
  if (code === "ENXIO") return new TreeError(notRegular(path), { cause: error });
  if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") return error;
  return new TreeError(notPermitted(path, code), { cause: error });
}

export function notPermitted(path: string, code: string): Problem {
  return {
    code: "PATH_EPERM",
    path,
    message: `${path} may not be changed by this user (${code})`,
    hint: "Look at its owner, mode and attributes (ls -l, lsattr), and at those of its folder.",
  };
}

export function crossDevice(path: string): Problem {
  return {
    code: "PATH_CROSS_DEVICE",
    path,
    message: `${path} is on another file system (a mount point), where a replacement would not be atomic`,
    hint: "Apply the reply with --root set to that file system, or leave this path out.",
  };
}

function rootProblem(path: string, cause: unknown): TreeError {
  const problem = {
    code: "ROOT_GONE",
    path,
    message: `the root ${path} is not a folder that can be opened (${errnoOf(cause) ?? "unknown error"})`,
    hint: "Check the path given with --root.",
  };
  return new TreeError(problem, { cause });
}

function errnoGone(): Error {
  return Object.assign(new Error("removed meanwhile"), { code: "ENOENT" });
}

function linkProblem(path: string, target: string): Problem {
  return {
    code: "PATH_SYMLINK",
    path,
    message: `${path} is a symbolic link to ${JSON.stringify(target)}; links are never followed`,
    hint: "If the target is inside the root, use its real path instead.",
  };
}

function notRegular(path: string): Problem {
  return {
    code: "PATH_NOT_REGULAR",
    path,
    message: `${path} is not a regular file (a pipe, socket or device)`,
    hint: "Only regular files are read and written. Choose another path.",
  };
}

function tooLarge(path: string, size: number, bytesMax: number): Problem {
  return {
    code: "LIMIT_FILE",
    path,
    message: `${path} has ${counted(size, "byte")}; the limit is ${grouped(bytesMax)}`,
    hint: "Files this large are not edited by replies. Change it by other means.",
  };
}
