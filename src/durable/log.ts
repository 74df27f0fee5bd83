/**
 * A log of records that survives a crash: one JSON line per record, each chained to the one before (see `log-line.ts`).
 *
 * An append is there wholly or not at all. Whatever a crash leaves after the last whole append is cut off and saved in
 * another file; damage anywhere else is reported, never repaired by guessing. The log has one writer at a time, who
 * must hold a lock. Even so, before every write and every acknowledgement it checks that nobody else has written.
 * Writers that take turns call `catchUp` first whenever they get the lock again.
 */
import { assert } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import { size } from "../std/size.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { File, Stat } from "../world/files/files.ts";
import { GroupCommit } from "./group-commit.ts";
import { headBytes, type Tip } from "./head.ts";
import { type Lock, LockLost } from "./lock.ts";
import { LogDamaged } from "./log-damaged.ts";
import { type Batch, encodeAppend } from "./log-line.ts";
import { naming, rethrowNamed } from "./named-failure.ts";
import { openSafely } from "./open-safely.ts";
import {
  type LogPlace,
  logBytesMax,
  mayBegin,
  mustBeSound,
  type OpenLogOptions,
  type RecoveredLog,
  readAll,
  recoverLog,
} from "./recover-log.ts";
import { replaceFile } from "./replace-file.ts";
import { type LogPosition, type LogRecord, scanLog } from "./scan.ts";

/**
 * A head costs about three writes, so this makes a write 2 % more expensive. A killed process leaves at most this many
 * writes that the head does not cover; one that ends normally leaves none.
 */
const writesPerHead = 128;

export interface LogInput {
  readonly event: string;
  readonly data: unknown;
}

/** Wall time, and run time if there is one. */
export interface When {
  readonly at: string;
  readonly t?: number;
}

export class Log {
  readonly records: readonly LogRecord[];
  /** What was cleaned up after a crash, in words. */
  recovered: readonly string[];
  #id: string | undefined;
  #fence: number;
  #lock: Lock | undefined;
  readonly #inode: number;
  readonly #group: GroupCommit<Encoded>;
  /** The last record numbered. */
  #last: Tip;
  /** The last record written. */
  #written: Tip;
  /** The file's length, if nobody else writes to it. */
  #size: number;
  /** The first record number of the write being gathered. */
  #write = 0;
  #writesSinceHead = 0;
  #justLooked = false;

  private constructor(
    private readonly opening: OpenLogOptions,
    private readonly file: File,
    { records, end, id, notes }: RecoveredLog,
  ) {
    this.records = records;
    this.recovered = notes;
    this.#id = id;
    this.#fence = end.seq + 1;
    this.#lock = opening.lock;
    this.#inode = opening.files.statOf(file).inode;
    this.#last = end;
    this.#written = this.#last;
    this.#size = end.offset;
    this.#group = new GroupCommit({
      write: (encoded) => naming(() => this.#writeOut(encoded)),
      sync: () => this.#sync().catch(rethrowNamed),
    });
  }

  /**
   * Opens the log for its one writer, creating it if it is missing. What it reads is made durable before it is
   * returned: acting on a record that is only in the page cache would be acting on one that may vanish.
   */
  static open(opening: OpenLogOptions): Log {
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

  /** Reads the log's records without opening it for writing. */
  static peek({ files, folder, name }: LogPlace): readonly LogRecord[] {
    if (!files.stat(folder, name)) return [];
    const file = files.open(folder, name, "read");
    try {
      return mustBeSound(scanLog(readAll(files, file, name)), name).records;
    } finally {
      files.close(file);
    }
  }

  /** Durable when it returns. When it throws, nobody knows what the log holds; the next process will read it. */
  append(entries: readonly LogInput[], when: When): void {
    this.#group.mustGoOn();
    assert(this.#group.isEmpty, "nothing else is on its way");
    const encoded = this.#encode(entries, when);
    this.#orFailForGood(() => {
      this.#writeOut([encoded]);
      this.opening.files.sync(this.file);
      this.#mustBeOurs();
    });
  }

  /** How far the log reaches. All of it is durable when nothing is pending. */
  get place(): LogPosition {
    const { seq, sum } = this.#written;
    return { offset: this.#size, seq, sum, ...(this.#id !== undefined && seq > 0 && { log: this.#id }) };
  }

  /**
   * Call it when you have the lock again. It returns what others appended since, made durable, and cuts off a tail that
   * one of them left torn. If the log is not the one we left, it throws, and the log must be opened again.
   */
  catchUp(lock: Lock): readonly LogRecord[] {
    const { files } = this.opening;
    this.#group.mustGoOn();
    assert(this.#group.isIdle, "nothing is on its way");
    this.#lock = lock;
    return this.#orFailForGood(() => {
      this.#mustBeWhereItWas();
      if (files.statOf(this.file).size === this.#size) return [];
      const { records, end, id, notes } = recoverLog({ ...this.opening, from: this.place }, this.file);
      this.#id = id;
      this.#fence = end.seq + 1;
      this.#last = end;
      this.#written = end;
      this.#size = end.offset;
      this.recovered = [...this.recovered, ...notes];
      return records;
    });
  }

  /** Numbered when it returns; durable when `durable` says so. */
  enqueue(entries: readonly LogInput[], when: When): Numbered {
    const group = this.#group;
    group.mustGoOn();
    if (group.isEmpty) {
      const { isIdle } = group;
      this.#orFailForGood(() => this.#mustLookOurs());
      this.#justLooked = isIdle;
    }
    const encoded = this.#encode(entries, when);
    group.add(encoded);
    return { first: encoded.tip.seq - entries.length + 1, fence: this.#fence, sums: encoded.sums };
  }

  /** Resolves when everything enqueued so far survives a power cut. */
  durable(): Promise<void> {
    return this.#group.durable();
  }

  /** For callers that only used `append`. */
  close(): void {
    this.opening.files.close(this.file);
  }

  /** Waits for pending appends, updates the head to cover them, and closes the file in any case. */
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

  #encode(entries: readonly LogInput[], { at, t }: When): Encoded {
    assert(entries.length > 0, "an append has a record");
    const first = this.#last.seq + 1;
    if (this.#group.isEmpty) this.#write = first;
    const last = first + entries.length - 1;
    const batch: Batch = this.#write === first ? [first, last] : [first, last, this.#write];
    const append = { v: this.opening.version, log: this.#id, at, t, fence: this.#fence, batch };
    const { text, sums } = encodeAppend(append, entries, this.#last.sum);
    this.#last = { seq: last, sum: sums.at(-1) ?? this.#last.sum };
    return { text, sums, tip: this.#last };
  }

  #writeOut(encoded: readonly Encoded[]): void {
    const { files } = this.opening;
    // If nothing was pending, the check was done a moment ago, in the same turn of the event loop.
    if (!this.#justLooked) this.#mustLookOurs();
    this.#justLooked = false;
    const bytes = encodeUtf8(encoded.map(({ text }) => text).join(""));
    this.#mustHaveRoomFor(bytes.length);
    files.write(this.file, bytes);
    this.#size += bytes.length;
    this.#written = encoded.at(-1)?.tip ?? this.#written;
    this.#writesSinceHead += 1;
  }

  #mustHaveRoomFor(bytes: number): void {
    const { name, bytesMax = logBytesMax } = this.opening;
    if (this.#size + bytes <= bytesMax) return;
    const why = `it has ${size(this.#size)}, and may have ${size(bytesMax)}; nothing more is written`;
    throw new LogDamaged("LOG_FULL", name, why);
  }

  /** The quick check before a write, on the open files: it misses only a file that was moved away. */
  #mustLookOurs(): void {
    const lock = this.#lock;
    if (lock && !lock.isStillThere()) throw new LockLost();
    const there = this.opening.files.statOf(this.file);
    if (there.links === 0) throw this.#foreign("it was removed, or another file was put in its place");
    this.#mustHaveSize(there.size);
  }

  /** The full check before an acknowledgement: it also notices a write between the quick check and our own. */
  #mustBeOurs(): void {
    const lock = this.#lock;
    if (lock && !lock.isStillOurs()) throw new LockLost();
    this.#mustHaveSize(this.#mustBeWhereItWas().size);
  }

  #mustBeWhereItWas(): Stat {
    const { files, folder, name } = this.opening;
    const there = files.stat(folder, name);
    if (!there) throw this.#foreign("it was removed");
    if (there.inode !== this.#inode) throw this.#foreign("another file was put in its place");
    return there;
  }

  #mustHaveSize(bytes: number): void {
    if (bytes !== this.#size)
      throw this.#foreign(`it has ${counted(bytes, "byte")} where we left ${counted(this.#size, "byte")}`);
  }

  #foreign(what: string): LogDamaged {
    const { name } = this.opening;
    return new LogDamaged("LOG_FOREIGN", name, `somebody else wrote it: ${what}; nothing more is written`);
  }

  async #sync(): Promise<void> {
    const synced = this.opening.files.syncData(this.file);
    // A check costs no time while the disk is busy; by name it takes longer than everything else we do for an append.
    const wrong = caught(() => this.#mustBeOurs());
    await synced;
    if (wrong) throw wrong.error;
    if (this.#writesSinceHead >= writesPerHead) await this.#writeHead();
  }

  /** Mentions only durable records. */
  async #writeHead(): Promise<void> {
    const { files, folder, head } = this.opening;
    if (head === undefined) return;
    this.#writesSinceHead = 0;
    await replaceFile({ files, folder, name: head, bytes: headBytes({ log: this.#id, ...this.#written }) });
  }

  #orFailForGood<T>(work: () => T): T {
    try {
      return naming(work);
    } catch (error) {
      this.#group.fail(error);
      throw error;
    }
  }
}

/** The record numbers of an append, and its checksums in order. */
export interface Numbered {
  readonly first: number;
  readonly fence: number;
  readonly sums: readonly string[];
}

interface Encoded {
  readonly text: string;
  readonly sums: readonly string[];
  readonly tip: Tip;
}

function caught(work: () => void): { readonly error: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
