/**
 * A log of records that survives a crash: one JSON line a record, each chained to the one before (`LogLine`).
 *
 * An append is there wholly or not at all. What a crash can leave behind the last whole one is cut off and kept aside;
 * damage anywhere else is reported, never guessed away. It has one writer, who must hold a lock; that nobody else wrote
 * is looked at before every write all the same.
 */
import { assert } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { File } from "../world/files.ts";
import { GroupCommit } from "./group-commit.ts";
import { DiskFailed } from "./guard.ts";
import { headFile, type Mark } from "./head.ts";
import { LogDamaged } from "./log-damaged.ts";
import { type Batch, encodeLogLine } from "./log-line.ts";
import { openSafely } from "./open-safely.ts";
import {
  type LogOpening,
  type LogPlace,
  mayBegin,
  mustBeSound,
  type RecoveredLog,
  readAll,
  recoverLog,
} from "./recover-log.ts";
import { replaceFile } from "./replace-file.ts";
import { type LogRecord, scanLog } from "./scan.ts";

/**
 * A head costs about two syncs, so this makes a write dearer by 3 %, and leaves at most so many writes unwitnessed to a
 * process that was killed; one that ends well leaves none.
 */
const writesPerHead = 64;

export interface Entry {
  readonly event: string;
  readonly data: unknown;
}

/** When: by the wall, and in run time where there is one. */
export interface When {
  readonly at: string;
  readonly t?: number;
}

export class Log {
  readonly records: readonly LogRecord[];
  /** What a crash left behind and was put in order, in words. */
  readonly recovered: readonly string[];
  readonly #id: { readonly log: string } | undefined;
  readonly #fence: number;
  readonly #inode: number;
  readonly #group: GroupCommit<Encoded>;
  /** The last record that was numbered. */
  #last: Mark;
  /** The last record that was written. */
  #written: Mark;
  /** How long the file is, if nobody else writes it. */
  #size: number;
  /** The first number of the write that is being gathered. */
  #write = 0;
  #writesSinceHead = 0;

  private constructor(
    private readonly opening: LogOpening,
    private readonly file: File,
    { records, end, id, notes }: RecoveredLog,
  ) {
    this.records = records;
    this.recovered = notes;
    this.#id = id === undefined ? undefined : { log: id };
    this.#fence = end.seq + 1;
    this.#inode = opening.files.statOf(file).inode;
    this.#last = { ...this.#id, seq: end.seq, last: end.sum };
    this.#written = this.#last;
    this.#size = end.offset;
    this.#group = new GroupCommit({
      write: (encoded) => naming(() => this.#writeOut(encoded)),
      sync: () => this.#sync().catch(rethrowNamed),
    });
  }

  /**
   * Opens the log for its one writer, making it when it is not there. What is read is made durable before it
   * is returned: to act on a record that is only in the page cache would be to act on one that may vanish.
   */
  static open(opening: LogOpening): Log {
    const { files, folder, name } = opening;
    mayBegin(opening);
    const file = openSafely(files, folder, name);
    try {
      return new Log(opening, file, recoverLog(opening, file));
    } catch (error) {
      files.close(file);
      throw error;
    }
  }

  /** What stands in the log, without opening it for writing: for looking only. */
  static peek({ files, folder, name }: LogPlace): readonly LogRecord[] {
    if (!files.stat(folder, name)) return [];
    const file = files.open(folder, name, "read");
    try {
      return mustBeSound(scanLog(readAll(files, file, name)), name).records;
    } finally {
      files.close(file);
    }
  }

  /** Durable when it returns. When it throws, nobody knows what the log holds: the next process will read it. */
  append(entries: readonly Entry[], when: When): void {
    this.#group.mustGoOn();
    assert(this.#group.isEmpty, "nothing else is on its way");
    const encoded = this.#encode(entries, when);
    this.#orFailForGood(() => {
      this.#writeOut([encoded]);
      this.opening.files.sync(this.file);
    });
  }

  /** Numbered when it returns; durable when `durable` says so. */
  enqueue(entries: readonly Entry[], when: When): readonly LogRecord[] {
    this.#group.mustGoOn();
    if (this.#group.isEmpty) this.#orFailForGood(() => this.#mustBeOurs());
    const encoded = this.#encode(entries, when);
    this.#group.add(encoded);
    return encoded.records;
  }

  /** Resolved when everything that was enqueued so far survives a power cut. */
  durable(): Promise<void> {
    return this.#group.durable();
  }

  /** For who only appended. */
  close(): void {
    this.opening.files.close(this.file);
  }

  /** Waits for what is on its way, lets the head speak of all of it, and closes whatever happens. */
  async finish(): Promise<void> {
    try {
      await this.durable();
      if (this.#writesSinceHead > 0) {
        naming(() => this.#mustBeOurs());
        await this.#writeHead().catch(rethrowNamed);
      }
    } finally {
      await this.#group.ended();
      this.close();
    }
  }

  #encode(entries: readonly Entry[], when: When): Encoded {
    assert(entries.length > 0, "an append has a record");
    const first = this.#last.seq + 1;
    if (this.#group.isEmpty) this.#write = first;
    const last = first + entries.length - 1;
    const batch: Batch = this.#write === first ? [first, last] : [first, last, this.#write];
    const records: LogRecord[] = [];
    let text = "";
    for (const { event, data } of entries) {
      const { version: v } = this.opening;
      const seq = this.#last.seq + 1;
      const fence = this.#fence;
      const prev = this.#last.last;
      const line = encodeLogLine({ v, ...this.#id, seq, ...when, fence, batch, event, data, prev });
      text += `${line.text}\n`;
      records.push({ v, seq, ...when, fence, event, data, sum: line.sum });
      this.#last = { ...this.#id, seq, last: line.sum };
    }
    return { text, records, mark: this.#last };
  }

  #writeOut(encoded: readonly Encoded[]): void {
    const { files } = this.opening;
    this.#mustBeOurs();
    const bytes = encodeUtf8(encoded.map(({ text }) => text).join(""));
    files.write(this.file, bytes);
    this.#size += bytes.length;
    this.#written = encoded.at(-1)?.mark ?? this.#written;
    this.#writesSinceHead += 1;
    // Who wrote between our look and our write is noticed before anything is acknowledged.
    this.#mustHaveSize(files.statOf(this.file).size);
  }

  #mustBeOurs(): void {
    const { files, folder, name } = this.opening;
    this.opening.mustBeWriter?.();
    const there = files.stat(folder, name);
    if (!there) throw this.#foreign("it was removed");
    if (there.inode !== this.#inode) throw this.#foreign("another file was put in its place");
    this.#mustHaveSize(there.size);
  }

  #mustHaveSize(size: number): void {
    if (size !== this.#size)
      throw this.#foreign(`it has ${counted(size, "byte")} where we left ${counted(this.#size, "byte")}`);
  }

  #foreign(what: string): LogDamaged {
    const { name } = this.opening;
    return new LogDamaged("LOG_FOREIGN", name, `somebody else wrote it: ${what}; nothing more is written`);
  }

  async #sync(): Promise<void> {
    await this.opening.files.syncData(this.file);
    if (this.#writesSinceHead >= writesPerHead) await this.#writeHead();
  }

  /** Only of what is durable. */
  async #writeHead(): Promise<void> {
    const { files, folder, head } = this.opening;
    if (head === undefined) return;
    this.#writesSinceHead = 0;
    await replaceFile({ files, folder, name: head, ...headFile(this.#written) });
  }

  #orFailForGood(work: () => void): void {
    try {
      naming(work);
    } catch (error) {
      this.#group.fail(error);
      throw error;
    }
  }
}

interface Encoded {
  readonly text: string;
  readonly records: readonly LogRecord[];
  /** Of the last of them. */
  readonly mark: Mark;
}

function naming(work: () => void): void {
  try {
    work();
  } catch (error) {
    rethrowNamed(error);
  }
}

function rethrowNamed(error: unknown): never {
  throw errnoOf(error) ? new DiskFailed(error) : error;
}
