/**
 * A position in a log, kept in a file beside it: everything up to there is sound and processed, and need not be read
 * again.
 *
 * The last whole line of the file counts. If a crash tore it, the line before it counts, or the log is read from the
 * start. It mentions only durable records, so it is never ahead of its log.
 */
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files/files.ts";
import { openSafely } from "./open-safely.ts";
import type { LogPosition } from "./scan.ts";
import { seal, unseal } from "./seal.ts";

const version = 1;
const lineMax = 1000;

/**
 * The file grows to this size before it is started over. Starting over with each line took as long as a sync, on ext4
 * with others at work; appending costs nothing.
 */
const sizeMax = 64 * 1024;

export class Bookmark {
  #place: LogPosition | undefined;
  #size: number;

  private constructor(
    private readonly files: Files,
    private readonly file: File,
  ) {
    this.#size = files.statOf(file).size;
    this.#place = lastPlaceIn(files, file);
  }

  static open(files: Files, folder: Folder, name: string): Bookmark {
    const file = openSafely(files, folder, name);
    try {
      return new Bookmark(files, file);
    } catch (error) {
      files.close(file);
      throw error;
    }
  }

  /** For reading only. */
  static peek(files: Files, folder: Folder, name: string): LogPosition | undefined {
    if (files.stat(folder, name)?.kind !== "file") return undefined;
    const file = files.open(folder, name, "read");
    try {
      return lastPlaceIn(files, file);
    } finally {
      files.close(file);
    }
  }

  /** Undefined when never written, or damaged. */
  get place(): LogPosition | undefined {
    return this.#place;
  }

  isAt({ seq, sum }: LogPosition): boolean {
    return seq === 0 || (this.#place?.seq === seq && this.#place.sum === sum);
  }

  move(place: LogPosition): void {
    const { log, seq, sum, offset } = place;
    const line = encodeUtf8(`\n${seal({ v: version, log, seq, last: sum, offset }).text}\n`);
    if (this.#size + line.length > sizeMax) {
      this.files.truncate(this.file, 0);
      this.#size = 0;
    }
    this.files.write(this.file, line);
    this.#size += line.length;
    this.#place = place;
  }

  sync(): Promise<void> {
    return this.files.syncData(this.file);
  }

  close(): void {
    this.files.close(this.file);
  }
}

function lastPlaceIn(files: Files, file: File): LogPosition | undefined {
  const { size } = files.statOf(file);
  const from = Math.max(0, size - 2 * lineMax);
  const text = decodeUtf8(files.read(file, from, size - from));
  const places = text.split("\n").flatMap((line) => placeIn(line) ?? []);
  return places.at(-1);
}

function placeIn(text: string): LogPosition | undefined {
  const { v, log, seq, last, offset } = (unseal(text)?.value ?? {}) as Partial<{
    v: number;
    log: string;
    seq: number;
    last: string;
    offset: number;
  }>;
  if (v !== version || seq === undefined || last === undefined || offset === undefined) return undefined;
  return { offset, seq, sum: last, ...(log !== undefined && { log }) };
}
