/**
 * A place in a log, written down beside it: all up to there is sound and was dealt with, and need not be read again.
 *
 * It is written in place and may be torn by a crash; then it says nothing, and the log is read from its beginning. It
 * speaks of durable records only, so it is never ahead of its log. Whoever verifies the log reads it as its head.
 */
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { File, Files, Folder } from "../world/files.ts";
import { openSafely } from "./open-safely.ts";
import type { Place } from "./scan.ts";
import { seal, unseal } from "./seal.ts";

const version = 1;
const bytesMax = 1000;

export class Bookmark {
  #place: Place | undefined;

  private constructor(
    private readonly files: Files,
    private readonly file: File,
  ) {
    this.#place = placeIn(decodeUtf8(files.read(file, 0, bytesMax)));
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

  /** Nothing when it was never written, or damaged. */
  get place(): Place | undefined {
    return this.#place;
  }

  /** Whether it lies at the very end of the log. */
  isAt({ seq, sum }: Place): boolean {
    return this.#place?.seq === seq && this.#place.sum === sum;
  }

  move(place: Place): void {
    const { log, seq, sum, offset } = place;
    this.files.truncate(this.file, 0);
    this.files.write(this.file, encodeUtf8(`${seal({ v: version, log, seq, last: sum, offset }).text}\n`));
    this.#place = place;
  }

  sync(): Promise<void> {
    return this.files.syncData(this.file);
  }

  close(): void {
    this.files.close(this.file);
  }
}

function placeIn(text: string): Place | undefined {
  const { v, log, seq, last, offset } = (unseal(text.trimEnd())?.value ?? {}) as Partial<{
    v: number;
    log: string;
    seq: number;
    last: string;
    offset: number;
  }>;
  if (v !== version || seq === undefined || last === undefined || offset === undefined) return undefined;
  return { offset, seq, sum: last, ...(log !== undefined && { log }) };
}
