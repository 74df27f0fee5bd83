/**
 * Follows lines that another process writes with `BoundedLines`: returns each line once and in order.
 *
 * The current file stays open, so nothing is missed if it is renamed or removed between two reads. If the writer fills
 * more than two rotating files between two reads, the dropped lines are skipped, as they will be in the final file.
 */
import { decodeUtf8 } from "../../std/utf8.ts";
import type { File } from "../../world/files/files.ts";
import type { Tree } from "../../world/folders/tree.ts";
import { lineBounds, roundNames } from "./bounded-lines.ts";

const chunkBytes = 1 << 20;
const newLine = 0x0a;

interface OpenPart {
  readonly file: File;
  readonly inode: number;
  readonly isFirst: boolean;
}

export class LineFollower {
  #part: OpenPart | undefined;
  #offset = 0;
  /** Bytes after the last line end. */
  #rest: Uint8Array = new Uint8Array();

  constructor(
    private readonly tree: Tree,
    private readonly path: string,
    private readonly firstBytes = lineBounds.firstBytes,
  ) {}

  /** The lines added since the last call. An incomplete line waits. */
  read(): string[] {
    const lines: string[] = [];
    this.#part ??= this.#open(this.path, true);
    this.#drain(lines);
    for (let next = this.#next(); next; next = this.#next()) {
      // The writer may have added lines before it moved on.
      this.#drain(lines);
      this.close();
      this.#part = next;
      this.#offset = 0;
      this.#drain(lines);
    }
    return lines;
  }

  close(): void {
    if (this.#part) this.tree.files.close(this.#part.file);
    this.#part = undefined;
  }

  /** The part after the current one, once the writer has moved on. */
  #next(): OpenPart | undefined {
    const now = this.#part;
    // At the end all parts are joined in the first file, so a reader beyond its limit just keeps reading there.
    if (!now || (now.isFirst && this.#offset > this.firstBytes)) return undefined;
    const [older, newer] = roundNames(this.path).map((path) => this.#open(path, false));
    const next = now.isFirst ? (older ?? newer) : this.#after(now, { older, newer });
    for (const part of [older, newer]) if (part && part !== next) this.tree.files.close(part.file);
    return next;
  }

  #after({ inode }: OpenPart, { older, newer }: Record<"older" | "newer", OpenPart | undefined>) {
    if (newer?.inode === inode) return undefined;
    return older?.inode === inode ? newer : (older ?? newer);
  }

  #open(path: string, isFirst: boolean): OpenPart | undefined {
    const opened = this.tree.open(path);
    return opened && { file: opened.file, inode: opened.stat.inode, isFirst };
  }

  #drain(lines: string[]): void {
    if (!this.#part) return;
    for (;;) {
      const bytes = this.tree.files.read(this.#part.file, this.#offset, chunkBytes);
      if (bytes.length === 0) return;
      this.#offset += bytes.length;
      const all = joined(this.#rest, bytes);
      const end = all.lastIndexOf(newLine) + 1;
      this.#rest = all.slice(end);
      const text = decodeUtf8(all.subarray(0, end));
      for (const line of text.split("\n").slice(0, -1)) lines.push(line);
    }
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
