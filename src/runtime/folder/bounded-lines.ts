/**
 * Stores lines in files as they come. If there are too many, the first and the last are kept, with a note in between on
 * what was left out.
 *
 * The first part is in the file itself. Later lines go to two files beside it; when the newer is full, the older is
 * dropped and the newer takes its place. At the end all parts are joined. After a crash the parts are still there, and
 * are read as one.
 */
import { grouped } from "../../std/counted.ts";
import { size } from "../../std/size.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { File } from "../../world/files/files.ts";
import type { FolderEntry, Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";
import type { KeptLines } from "./archive.ts";

export interface LineBounds {
  readonly firstBytes: number;
  /** The limit of each of the two rotating files. At the end, at least one of them and at most both are kept. */
  readonly lastBytes: number;
}

export interface LinesPlace {
  readonly tree: Tree;
  /** Its folder exists. */
  readonly path: string;
  readonly bounds: LineBounds;
  /** Makes the line that stands for omitted lines. */
  gap(words: string): string;
}

/** A long turn of an agent that prints every event takes one or two megabytes. */
export const lineBounds: LineBounds = { firstBytes: 4 << 20, lastBytes: 2 << 20 };

/** The names of the two rotating files, in reading order. */
export function roundNames(name: string): readonly [older: string, newer: string] {
  return [`${name}.older`, `${name}.newer`];
}

export class BoundedLines implements KeptLines {
  #file: File | undefined;
  #bytes = 0;
  /** Counts the lines in each of the two files, and the dropped ones. */
  #older: Count = none;
  #newer: Count = none;
  #leftOut: Count = none;
  #isRound = false;

  constructor(private readonly place: LinesPlace) {
    this.#tryInFolder((entry) => {
      for (const one of [entry.name, ...roundNames(entry.name)]) this.#remove({ ...entry, name: one });
      this.#file = place.tree.files.open(entry.folder, entry.name, "create");
    });
  }

  add(line: string): void {
    const bytes = encodeUtf8(`${line}\n`);
    const limit = this.#isRound ? this.place.bounds.lastBytes : this.place.bounds.firstBytes;
    if (this.#bytes + bytes.length > limit) this.#tryInFolder((entry) => this.#turnOver(entry));
    this.#try(() => {
      if (this.#file) this.place.tree.files.write(this.#file, bytes);
      this.#bytes += bytes.length;
      if (this.#isRound) this.#newer = { lines: this.#newer.lines + 1, bytes: this.#bytes };
    });
  }

  end(): void {
    if (this.#isRound) this.#tryInFolder((entry) => this.#putTogether(entry));
    this.#close();
  }

  /** The newer file is full: it becomes the older one. */
  #turnOver({ folder, name }: FolderEntry): void {
    const { files } = this.place.tree;
    const [older, newer] = roundNames(name);
    this.#close();
    if (this.#isRound) {
      const { lines, bytes } = this.#older;
      this.#leftOut = { lines: this.#leftOut.lines + lines, bytes: this.#leftOut.bytes + bytes };
      files.rename(folder, newer, folder, older);
      this.#older = this.#newer;
    }
    this.#newer = none;
    this.#isRound = true;
    this.#bytes = 0;
    this.#file = files.open(folder, newer, "create");
  }

  #putTogether({ folder, name }: FolderEntry): void {
    const { tree, gap } = this.place;
    const { files } = tree;
    this.#close();
    const whole = files.open(folder, name, "append");
    this.#file = whole;
    const { lines, bytes } = this.#leftOut;
    if (lines > 0) files.write(whole, encodeUtf8(`${gap(leftOutWords(lines, bytes))}\n`));
    for (const part of roundNames(name)) {
      const found = this.#read({ folder, name: part });
      if (found) files.write(whole, found);
    }
    for (const part of roundNames(name)) this.#remove({ folder, name: part });
  }

  #read({ folder, name }: FolderEntry): Uint8Array | undefined {
    const { files } = this.place.tree;
    const stat = files.stat(folder, name);
    if (!stat) return undefined;
    const file = files.open(folder, name, "read");
    try {
      return files.read(file, 0, stat.size);
    } finally {
      files.close(file);
    }
  }

  #remove({ folder, name }: FolderEntry): void {
    const { files } = this.place.tree;
    if (files.stat(folder, name)) files.unlink(folder, name);
  }

  #close(): void {
    if (this.#file) this.place.tree.files.close(this.#file);
    this.#file = undefined;
  }

  /** The folder is opened again each time: a turn may last for hours, and no folder is kept open for it. */
  #tryInFolder(act: (entry: FolderEntry) => void): void {
    this.#try(() => {
      const isThere = this.place.tree.withParent(this.place.path, (entry) => {
        act(entry);
        return true;
      });
      if (!isThere) this.#close();
    });
  }

  /** A full disk ends the transcript here. Anything that must be stored will report the disk itself. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof TreeError)) throw error;
      this.#close();
    }
  }
}

interface Count {
  readonly lines: number;
  readonly bytes: number;
}
const none: Count = { lines: 0, bytes: 0 };

function leftOutWords(lines: number, bytes: number): string {
  return `${grouped(lines)} lines (${size(bytes)}) were left out here`;
}

/** Reads all parts, of which a crash may have left three files. Undefined if there are none. */
export function readLines(
  read: (name: string) => Uint8Array | undefined,
  name: string,
): readonly string[] | undefined {
  const parts = [name, ...roundNames(name)].flatMap((one) => read(one) ?? []);
  if (parts.length === 0) return undefined;
  return parts.flatMap((bytes) => decodeUtf8(bytes).split("\n")).filter((line) => line !== "");
}
