/**
 * Reads the Markdown files directly in one folder, afresh at each look. A file that was not written since the last look
 * is not read again. A file that cannot be read becomes a problem and does not stop the others from being read.
 */
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { Files, Stat } from "../files/files.ts";
import { Tree } from "./tree.ts";
import { TreeError } from "./tree-error.ts";

export interface MarkdownFile {
  /** Relative to the root: `profiles/developer.md`. */
  readonly path: string;
  /** Without `.md`. */
  readonly name: string;
  readonly text: string;
}

export interface MarkdownFiles {
  /** Sorted by name. A file that has not changed since the last look is the very same object. */
  readonly files: readonly MarkdownFile[];
  readonly problems: readonly Problem[];
}

/** Nobody writes this many pages by hand, or one this long. */
const filesMax = 500;
const bytesMax = 256 * 1024;

export class MarkdownFolder {
  #known = new Map<string, { readonly stamp: string; readonly file: MarkdownFile }>();

  constructor(
    private readonly files: Files,
    private readonly place: { readonly root: string; readonly folder: string },
  ) {}

  look(): MarkdownFiles {
    const { root, folder } = this.place;
    const tree = Tree.open(this.files, root);
    const problems: Problem[] = [];
    try {
      const names = telling(problems, () => tree.list(folder)) ?? [];
      const wanted = names.filter((name) => /^[^.].*\.md$/i.test(name)).slice(0, filesMax);
      const found = wanted.flatMap(
        (name) => telling(problems, () => this.#read(tree, `${folder}/${name}`)) ?? [],
      );
      this.#known = new Map(found.map((one) => [one.file.path, one]));
      return { files: found.map(({ file }) => file), problems };
    } finally {
      tree.close();
    }
  }

  /** Finds one file by name without reading the others. */
  find(name: string): MarkdownFile | undefined {
    if (!/^[^./\p{Cc}][^/\p{Cc}]{0,200}$/u.test(name)) return undefined;
    const tree = Tree.open(this.files, this.place.root);
    try {
      const path = `${this.place.folder}/${name}.md`;
      const found = telling([], () => this.#read(tree, path));
      if (found) this.#known.set(path, found);
      return found?.file;
    } finally {
      tree.close();
    }
  }

  #read(tree: Tree, path: string) {
    const known = this.#known.get(path);
    const seen = tree.stat(path);
    if (known && seen?.kind === "file" && stampOf(seen) === known.stamp) return known;
    const read = tree.read(path, bytesMax);
    if (!read) return undefined;
    const name = (path.split("/").at(-1) ?? "").replace(/\.md$/i, "");
    return { stamp: stampOf(read.stat), file: { path, name, text: decodeUtf8(read.bytes) } };
  }
}

function stampOf({ inode, size, modified }: Stat): string {
  return `${inode} ${size} ${modified}`;
}

function telling<T>(problems: Problem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    problems.push(error.problem);
    return undefined;
  }
}
