/**
 * Lines kept in files as they come: of very many the first and the last, with a word between them on what was left out.
 *
 * The first part stands in the file itself. What comes behind goes round in two files beside it, of which the older is given
 * up when the newer is full; at the end they are put together. After a crash they are still there, and are read as one.
 */
import { grouped } from "../std/counted.ts";
import { size } from "../std/size.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Files, Folder } from "../world/files.ts";
import type { KeptLines } from "./archive.ts";

export interface LineBounds {
  readonly firstBytes: number;
  /** Of each of the two that go round: at the end there is at least one of them, at most both. */
  readonly lastBytes: number;
}

export interface LinesPlace {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly bounds: LineBounds;
  /** The line that stands for what was left out. */
  gap(words: string): string;
}

/** A long turn of an agent that prints every event has one or two megabytes. */
export const lineBounds: LineBounds = { firstBytes: 4 << 20, lastBytes: 2 << 20 };

/** The names beside the file itself, in the order in which they are read. */
export function roundNames(name: string): readonly [older: string, newer: string] {
  return [`${name}.older`, `${name}.newer`];
}

export class BoundedLines implements KeptLines {
  #file: File | undefined;
  #bytes = 0;
  /** Of the lines in each of the two files, and of those that were given up. */
  #older: Count = none;
  #newer: Count = none;
  #leftOut: Count = none;
  #isRound = false;

  constructor(private readonly place: LinesPlace) {
    const { files, folder, name } = place;
    this.#try(() => {
      for (const one of [name, ...roundNames(name)]) this.#remove(one);
      this.#file = files.open(folder, name, "create");
    });
  }

  add(line: string): void {
    const bytes = encodeUtf8(`${line}\n`);
    this.#try(() => {
      const limit = this.#isRound ? this.place.bounds.lastBytes : this.place.bounds.firstBytes;
      if (this.#bytes + bytes.length > limit) this.#turnOver();
      if (this.#file) this.place.files.write(this.#file, bytes);
      this.#bytes += bytes.length;
      if (this.#isRound) this.#newer = { lines: this.#newer.lines + 1, bytes: this.#bytes };
    });
  }

  end(): void {
    if (this.#isRound) this.#try(() => this.#putTogether());
    this.#close();
  }

  /** The newer is full: it becomes the older one. */
  #turnOver(): void {
    const [older, newer] = roundNames(this.place.name);
    this.#close();
    if (this.#isRound) {
      const { lines, bytes } = this.#older;
      this.#leftOut = { lines: this.#leftOut.lines + lines, bytes: this.#leftOut.bytes + bytes };
      this.place.files.rename(this.place.folder, newer, this.place.folder, older);
      this.#older = this.#newer;
    }
    this.#newer = none;
    this.#isRound = true;
    this.#bytes = 0;
    this.#file = this.place.files.open(this.place.folder, newer, "create");
  }

  #putTogether(): void {
    const { files, folder, name, gap } = this.place;
    this.#close();
    const whole = files.open(folder, name, "append");
    this.#file = whole;
    const { lines, bytes } = this.#leftOut;
    if (lines > 0) files.write(whole, encodeUtf8(`${gap(leftOutWords(lines, bytes))}\n`));
    for (const part of roundNames(name)) {
      const found = this.#read(part);
      if (found) files.write(whole, found);
    }
    for (const part of roundNames(name)) this.#remove(part);
  }

  #read(name: string): Uint8Array | undefined {
    const stat = this.place.files.stat(this.place.folder, name);
    if (!stat) return undefined;
    const file = this.place.files.open(this.place.folder, name, "read");
    try {
      return this.place.files.read(file, 0, stat.size);
    } finally {
      this.place.files.close(file);
    }
  }

  #remove(name: string): void {
    if (this.place.files.stat(this.place.folder, name)) this.place.files.unlink(this.place.folder, name);
  }

  #close(): void {
    if (this.#file) this.place.files.close(this.#file);
    this.#file = undefined;
  }

  /** A full disk ends the transcript here; whatever else must be kept will say so. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
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

/** What a crash may have left in three files; nothing when there is none. */
export function readLines(
  read: (name: string) => Uint8Array | undefined,
  name: string,
): readonly string[] | undefined {
  const parts = [name, ...roundNames(name)].flatMap((one) => read(one) ?? []);
  if (parts.length === 0) return undefined;
  return parts.flatMap((bytes) => decodeUtf8(bytes).split("\n")).filter((line) => line !== "");
}
