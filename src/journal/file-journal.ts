/**
 * A run's journal in files: `events.jsonl` is the log, `head` a second record of how far the log reaches, `lock` is
 * held by the one writer.
 *
 * Opening the journal makes the caller its writer and cleans up after a crash. If a person must look first, opening
 * throws an error with a code and what to do, and changes nothing.
 */

import { guard } from "../durable/guard.ts";
import { Lock, LockHeld } from "../durable/lock.ts";
import { Log } from "../durable/log.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { LogRecord } from "../durable/scan.ts";
import type { Event } from "../kernel/event.ts";
import type { Moment } from "../kernel/moment.ts";
import { assert } from "../std/assert.ts";
import type { Chance } from "../world/chance.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { fileNames } from "./file-names.ts";
import type { Journal, Recorded } from "./journal.ts";
import { journalHint } from "./journal-hint.ts";
import { readSnapshot, type Snapshot, writeSnapshot } from "./snapshot.ts";
import { type LogVocabulary, runVocabulary, understood } from "./vocabulary.ts";

export interface OpenJournalOptions {
  readonly files: Files;
  /** Path of the run's folder. It must exist, and its own name must be durable: its creator has made sure of that. */
  readonly folder: string;
  readonly chance: Chance;
  /** How the lock's holder is described to somebody who finds the run taken. */
  readonly holder?: string;
  readonly vocabulary?: LogVocabulary;
}

export class FileJournal implements Journal {
  readonly recorded: readonly Recorded[];
  readonly recovered: readonly string[];
  /** Checksums by record number, from 1: they identify the records. */
  readonly #sums: string[];
  /** The last time, formatted. Appends made together share it, and formatting a date is slow. */
  #at = { ms: 0, text: new Date(0).toISOString() };
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly files: Files,
    private readonly folder: Folder,
    private readonly lock: Lock,
    private readonly log: Log,
    vocabulary: LogVocabulary,
  ) {
    this.recorded = log.records.map((record) => inTodaysWords(record, vocabulary));
    this.recovered = log.recovered;
    this.#sums = ["", ...log.records.map(({ sum }) => sum)];
  }

  static open(opening: OpenJournalOptions): FileJournal {
    const files = guard(opening.files);
    const folder = files.openRoot(opening.folder);
    let lock: Lock | undefined;
    try {
      lock = takeLock(files, folder, opening.holder ?? `process ${process.pid}`);
      return FileJournal.#openLocked(opening, { files, folder, lock });
    } catch (error) {
      lock?.release();
      files.close(folder);
      throw error instanceof LogDamaged ? Object.assign(error, { hint: journalHint(error.code) }) : error;
    }
  }

  static #openLocked(
    { chance, vocabulary = runVocabulary }: OpenJournalOptions,
    { files, folder, lock }: { files: Files; folder: Folder; lock: Lock },
  ): FileJournal {
    const log = Log.open({
      files,
      folder,
      name: fileNames.log,
      head: fileNames.head,
      version: vocabulary.version,
      understands: (record) => understood(record, vocabulary) !== undefined,
      newId: () => chance.id(10),
      lock,
    });
    return new FileJournal(files, folder, lock, log, vocabulary);
  }

  append(events: readonly Event[], { at, time }: Moment): readonly Recorded[] {
    assert(!this.#closing, "the journal is open");
    assert(Number.isSafeInteger(at) && Number.isFinite(time), "a moment is in milliseconds");
    if (at !== this.#at.ms) this.#at = { ms: at, text: new Date(at).toISOString() };
    const { first, fence, sums } = this.log.enqueue(events, { at: this.#at.text, t: time });
    this.#sums.push(...sums);
    return events.map(
      ({ event, data }, index) => ({ event, data, at, time, seq: first + index, fence }) as Recorded,
    );
  }

  durable(): Promise<void> {
    return this.log.durable();
  }

  /** Waits for pending appends; rejects if they did not become durable. The lock is free afterwards in any case. */
  close(): Promise<void> {
    this.#closing ??= this.log.finish().finally(() => {
      this.lock.release();
      this.files.close(this.folder);
    });
    return this.#closing;
  }

  /** The state after one of the existing records; undefined when no trustworthy snapshot is kept. */
  snapshot(version: number): Snapshot | undefined {
    const { files, folder } = this;
    return readSnapshot({ files, folder, version, sumOf: (seq) => this.#sums[seq] });
  }

  /** Saves the state after record `seq`, for a quicker start. It may be lost at any time. */
  async keepSnapshot({ seq, version, state }: Snapshot & { readonly version: number }): Promise<void> {
    const { files, folder } = this;
    const sum = this.#sums[seq];
    assert(sum !== undefined, `record ${seq} is in the log`);
    await writeSnapshot({ files, folder, version, seq, sum, state });
  }
}

function takeLock(files: Files, folder: Folder, holder: string): Lock {
  const lock = Lock.take(files, folder, fileNames.lock, holder);
  if (!lock) throw new LockHeld("this run", Lock.hint(files, folder, fileNames.lock));
  return lock;
}

function inTodaysWords(record: LogRecord, vocabulary: LogVocabulary): Recorded {
  const recorded = understood(record, vocabulary);
  assert(recorded, `record ${record.seq} was understood when the log was opened`);
  return recorded;
}
