/**
 * A log of records that survives a crash: one JSON line a record, each chained to the one before.
 *
 * A line is `{v, seq, at, fence, batch, event, data, prev, sum}`. `sum` is a checksum of the line, `prev` the
 * `sum` of the line before, `fence` the number of the writer's own first record, `batch` the first and the last
 * number of the append it belongs to: an append is there wholly or not at all. What a crash can leave behind the
 * last whole append is cut off and kept aside; damage anywhere else is reported, never guessed away.
 */
import { assert } from "../std/assert.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Files, Folder } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import { DiskFailed } from "./guard.ts";

const version = 1;
const bytesMax = 1 << 30;

export interface LogRecord {
  readonly seq: number;
  readonly at: string;
  readonly fence: number;
  readonly event: string;
  readonly data: unknown;
}

export class Log {
  #last: string;
  #next: number;
  #failed: DiskFailed | undefined;
  readonly #fence: number;

  private constructor(
    private readonly files: Files,
    private readonly file: File,
    readonly records: readonly LogRecord[],
    last: string,
  ) {
    this.#last = last;
    this.#next = records.length + 1;
    this.#fence = this.#next;
  }

  /**
   * Opens the log for its one writer, making it when it is not there. What is read is made durable before it
   * is returned: to act on a record that is only in the page cache would be to act on one that may vanish.
   */
  static open(files: Files, folder: Folder, name: string): Log {
    const file = openSafely(files, folder, name);
    try {
      const { records, last, whole, size } = readOpen(files, file, name);
      if (whole < size) cutTail({ files, folder, name, file, whole, size, seq: records.length + 1 });
      files.sync(file);
      files.sync(folder);
      return new Log(files, file, records, last);
    } catch (error) {
      files.close(file);
      throw error;
    }
  }

  /** What stands in the log, without opening it for writing: for looking only. */
  static peek(files: Files, folder: Folder, name: string): readonly LogRecord[] {
    if (!files.stat(folder, name)) return [];
    const file = files.open(folder, name, "read");
    try {
      return readOpen(files, file, name).records;
    } finally {
      files.close(file);
    }
  }

  /** Durable when it returns. When it throws, nobody knows what the log holds: the next process will read it. */
  append(at: string, events: readonly { readonly event: string; readonly data: unknown }[]): void {
    const batch = [this.#next, this.#next + events.length - 1] as const;
    let text = "";
    for (const { event, data } of events) {
      const line = encode({
        v: version,
        seq: this.#next,
        at,
        fence: this.#fence,
        batch,
        event,
        data,
        prev: this.#last,
      });
      text += `${line.text}\n`;
      this.#last = line.sum;
      this.#next += 1;
    }
    if (this.#failed) throw this.#failed;
    try {
      this.files.write(this.file, encodeUtf8(text));
      this.files.sync(this.file);
    } catch (error) {
      this.#failed = error instanceof DiskFailed ? error : new DiskFailed(error);
      throw this.#failed;
    }
  }

  close(): void {
    this.files.close(this.file);
  }
}

/** The log cannot be trusted from `line` on. `code` says in which way. */
class LogDamaged extends Error {
  override name = "LogDamaged";

  constructor(
    readonly code: "LOG_CORRUPT" | "LOG_VERSION" | "STATE_UNSAFE",
    readonly log: string,
    readonly line: number,
    why: string,
  ) {
    super(`${log}, line ${line}: ${why}`);
  }
}

interface Line extends LogRecord {
  readonly v: number;
  readonly batch: readonly [first: number, last: number];
  readonly prev: string;
}

interface Content {
  readonly records: readonly LogRecord[];
  /** The checksum of the last whole record. */
  readonly last: string;
  /** How many bytes hold whole appends. */
  readonly whole: number;
  readonly size: number;
}

function openSafely(files: Files, folder: Folder, name: string): File {
  const found = files.stat(folder, name);
  if (found && found.kind !== "file")
    throw new LogDamaged("STATE_UNSAFE", name, 0, "it is not a regular file");
  return files.open(folder, name, "append");
}

function readOpen(files: Files, file: File, name: string): Content {
  const { kind, size } = files.statOf(file);
  if (kind !== "file") throw new LogDamaged("STATE_UNSAFE", name, 0, "it is not a regular file");
  assert(size <= bytesMax, "a log stays below 1 GiB");
  return decodeAll(files.read(file, 0, size), name);
}

function decodeAll(bytes: Uint8Array, name: string): Content {
  const records: LogRecord[] = [];
  let open: LogRecord[] = [];
  let last = "";
  let lastOpen = "";
  let whole = 0;
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(newline, start);
    const line =
      end < 0 ? undefined : decode(bytes.subarray(start, end), name, records.length + open.length + 1);
    const expected = records.length + open.length + 1;
    if (!line || line.seq !== expected || line.prev !== lastOpen) {
      mustBeTail({ bytes, from: start, name, seq: expected, first: records.length + 1 });
      break;
    }
    open.push(line);
    lastOpen = line.sum;
    start = end + 1;
    if (line.seq !== line.batch[1]) continue;
    records.push(...open.map(({ seq, at, fence, event, data }) => ({ seq, at, fence, event, data })));
    open = [];
    last = lastOpen;
    whole = start;
  }
  return { records, last, whole, size: bytes.length };
}

interface Broken {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly name: string;
  readonly seq: number;
  /** The number of the first record of the append that was under way. */
  readonly first: number;
}

/**
 * A crash damages only the last append, so whatever is behind the last whole one must be its remains: a trace of
 * another append there, or a sound record in the wrong place, is other damage.
 */
function mustBeTail({ bytes, from, name, seq, first }: Broken): void {
  const end = bytes.indexOf(newline, from);
  const line = end < 0 ? undefined : decode(bytes.subarray(from, end), name, seq);
  if (line)
    throw new LogDamaged("LOG_CORRUPT", name, seq, `record ${line.seq} stands where record ${seq} belongs`);
  const text = new TextDecoder("latin1").decode(bytes.subarray(from));
  for (const [, batch] of text.matchAll(/"batch":\[(\d+),/g))
    if (Number(batch) !== first)
      throw new LogDamaged("LOG_CORRUPT", name, seq, `it is broken, but what follows is of append ${batch}`);
}

function encode(line: Line): { text: string; sum: string } {
  const body = JSON.stringify(line);
  const sum = sha256(body).slice(0, 32);
  return { text: `${body.slice(0, -1)},"sum":"${sum}"}`, sum };
}

function decode(bytes: Uint8Array, name: string, seq: number): (Line & { sum: string }) | undefined {
  const text = decodeUtf8(bytes);
  const cut = text.lastIndexOf(',"sum":"');
  if (cut < 0) return undefined;
  const body = `${text.slice(0, cut)}}`;
  const sum = sha256(body).slice(0, 32);
  if (text.slice(cut) !== `,"sum":"${sum}"}`) return undefined;
  const line = JSON.parse(body) as Line;
  if (line.v > version)
    throw new LogDamaged("LOG_VERSION", name, seq, `it was written by a newer version (format ${line.v})`);
  return { ...line, sum };
}

interface Tail {
  readonly files: Files;
  readonly folder: Folder;
  readonly name: string;
  readonly file: File;
  readonly whole: number;
  readonly size: number;
  readonly seq: number;
}

/** What is cut is kept aside first, durably: it may be the only trace of what happened. */
function cutTail({ files, folder, name, file, whole, size, seq }: Tail): void {
  const aside = newFile(files, folder, `${name}.torn-${seq}`);
  try {
    files.write(aside, files.read(file, whole, size - whole));
    files.sync(aside);
  } finally {
    files.close(aside);
  }
  files.sync(folder);
  files.truncate(file, whole);
}

function newFile(files: Files, folder: Folder, name: string): File {
  for (let copy = 1; ; copy++) {
    try {
      return files.open(folder, copy === 1 ? name : `${name}-${copy}`, "create");
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

const newline = 0x0a;
