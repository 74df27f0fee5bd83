/**
 * What a bare model may see of its desk: files by path, and lists of files. Neither a link nor a trick in a path's
 * spelling leads outside. Secrets, installed packages and version control files are hidden.
 *
 * Answers are texts for the model, limited in size. What it may not see is reported as a problem that it can act on.
 */
import { compile } from "../../change/compile.ts";
import { glob } from "../../change/glob.ts";
import { needsEditor } from "../../change/needs-editor.ts";
import { canonicalPath, type TreePath } from "../../change/path.ts";
import { protectedPath } from "../../change/policy/protected.ts";
import { secretPath } from "../../change/policy/secret-paths.ts";
import type { Operation } from "../../reply/reply.ts";
import { counted, grouped } from "../../std/counted.ts";
import { cutAt } from "../../std/cut.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import type { Files } from "../../world/files/files.ts";
import { sha256 } from "../../world/files/hash.ts";
import { Tree } from "../../world/folders/tree.ts";
import { TreeDisk } from "../../world/folders/tree-disk.ts";
import { TreeError } from "../../world/folders/tree-error.ts";

export type DeskAnswer<T> = { readonly seen: T } | { readonly problem: Problem };

export interface SeenFile {
  readonly path: string;
  readonly text: string;
}

export class DeskLook {
  constructor(
    private readonly files: Files,
    private readonly desk: string,
  ) {}

  /** Some lines of a file, unchanged, below a line that says which they are. */
  read({ path, from = 1, to = Number.POSITIVE_INFINITY }: Lines): DeskAnswer<string> {
    const file = this.file(path);
    if ("problem" in file) return file;
    return { seen: excerpt(file.seen, { from, to }) };
  }

  /** A whole text file. */
  file(given: string): DeskAnswer<SeenFile> {
    return this.#looking((tree) => {
      const path = this.#canonical(given);
      const found = tree.read(path, fileBytesMax);
      if (found === undefined) throw new TreeError(notThere(path));
      const text = textOf(found.bytes);
      if (text === undefined) throw new TreeError(noText(path, found.bytes.length));
      return { path, text };
    });
  }

  /** The sorted paths of all files in a folder and below it. */
  list({ folder = "", pattern }: { folder?: string; pattern?: string }): DeskAnswer<Listing> {
    return this.#looking((tree) => {
      const isWanted = pattern === undefined ? () => true : glob(pattern);
      const top = this.#folder(folder);
      if (!tree.hasFolder(top)) throw new TreeError(notThere(top));
      const paths: string[] = [];
      let isCut = false;
      for (const path of walk(tree, top)) {
        if (!isWanted(path)) continue;
        isCut = paths.length >= pathsMax;
        if (isCut) break;
        paths.push(path);
      }
      return { paths, isCut };
    });
  }

  /** The problems these operations would have if they were carried out now. */
  misfits(operations: readonly Operation[]): readonly Problem[] {
    const looked = this.#looking((tree) =>
      compile(operations, { root: this.desk, disk: new TreeDisk(tree), hash: sha256 }),
    );
    if ("problem" in looked) return [looked.problem];
    return [...looked.seen.problems, ...looked.seen.needsEditor.map(needsEditor)];
  }

  #folder(given: string): string {
    const plain = given.replace(/\/+$/, "");
    if (plain === "" ? !given.startsWith("/") : plain === "." || plain === this.desk) return "";
    return this.#canonical(plain === "" ? given : plain);
  }

  #canonical(given: string): TreePath {
    const canonical = canonicalPath(given, this.desk);
    if ("problem" in canonical) throw new TreeError(canonical.problem);
    const hidden = hiddenPath(canonical.path);
    if (hidden !== undefined) throw new TreeError(hidden);
    return canonical.path;
  }

  #looking<T>(look: (tree: Tree) => T): DeskAnswer<T> {
    try {
      const tree = Tree.open(this.files, this.desk);
      try {
        return { seen: look(tree) };
      } finally {
        tree.close();
      }
    } catch (error) {
      if (error instanceof TreeError) return { problem: error.problem };
      throw error;
    }
  }
}

export interface Lines {
  readonly path: string;
  /** Counted from 1; `to` is included. */
  readonly from?: number;
  readonly to?: number;
}

export interface Listing {
  readonly paths: readonly string[];
  /** There are more files than listed. */
  readonly isCut: boolean;
}

/** Source files are far smaller; larger files are generated. */
const fileBytesMax = 4_000_000;
/** A model can ask for more, folder by folder. */
const pathsMax = 5_000;
const foldersMax = 20_000;
/** About what fits into a model's context beside a dozen others. */
const charactersMax = 60_000;
const lineMax = 2_000;

function hiddenPath(path: string): Problem | undefined {
  return secretPath(path) ?? protectedPath(path);
}

/** The files below a folder in order of names, never through a link, without hidden ones. */
function* walk(tree: Tree, top: string): Generator<string> {
  const folders = [top];
  for (let walked = 0; folders.length > 0 && walked < foldersMax; walked++) {
    const folder = folders.pop() ?? "";
    const below: string[] = [];
    for (const name of namesIn(tree, folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (hiddenPath(path) !== undefined) continue;
      const kind = kindOf(tree, path);
      if (kind === "file") yield path;
      else if (kind === "folder") below.push(path);
    }
    folders.push(...below.reverse());
  }
}

/** A folder that cannot be read is skipped here, and reported to a caller that names it. */
function namesIn(tree: Tree, folder: string): readonly string[] {
  return unlessBroken(() => tree.list(folder)) ?? [];
}

function kindOf(tree: Tree, path: string): string | undefined {
  return unlessBroken(() => tree.stat(path))?.kind;
}

function unlessBroken<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof TreeError) return undefined;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function excerpt({ path, text }: SeenFile, { from, to }: { from: number; to: number }): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = Math.min(Math.max(1, Math.floor(from)), lines.length + 1);
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(first - 1, Math.max(first, to))) {
    const { kept, cut } = cutAt(line, lineMax);
    const written = cut > 0 ? `${kept} … (${counted(cut, "more character")} in this line)` : kept;
    if (length + written.length > charactersMax) break;
    length += written.length + 1;
    shown.push(written);
  }
  const last = first - 1 + shown.length;
  const isWhole = first === 1 && last === lines.length;
  const which = isWhole
    ? counted(lines.length, "line")
    : `lines ${first} to ${last} of ${grouped(lines.length)}`;
  return [`${path} (${which}):`, ...shown].join("\n");
}

function notThere(path: string): Problem {
  return {
    code: "PATH_NOT_FOUND",
    path,
    message: `${path === "" ? "the desk" : path} is not there`,
    hint: "Call list_files to see which files there are.",
  };
}

function noText(path: string, bytes: number): Problem {
  return {
    code: "CONTENT_BINARY",
    path,
    message: `${path} is not UTF-8 text (${size(bytes)})`,
    hint: "It cannot be shown, and no operation can change a part of it.",
  };
}
