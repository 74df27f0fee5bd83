/**
 * A run's journal in files: `events.jsonl`, the log; `head`, its second witness; `lock`, held by the one writer.
 *
 * To open it is to become the writer, and to put in order what a crash left. What a person must look at first is thrown
 * with its code and what to do; then nothing was changed.
 */
import { guard } from "../durable/guard.ts";
import { Lock, LockHeld } from "../durable/lock.ts";
import { Log } from "../durable/log.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { LogRecord } from "../durable/scan.ts";
import type { Event } from "../kernel/event.ts";
import { assert } from "../std/assert.ts";
import type { Chance } from "../world/chance.ts";
import type { Files, Folder } from "../world/files.ts";
import { fileNames } from "./file-names.ts";
import type { Journal, Moment, Recorded } from "./journal.ts";
import { readSnapshot, type Snapshot, writeSnapshot } from "./snapshot.ts";
import { runVocabulary, understood, type Vocabulary } from "./vocabulary.ts";
import { whatToDo } from "./what-to-do.ts";

export interface Opening {
  readonly files: Files;
  /** The path of the run's folder. It is there, and its own name is durable: whoever made it saw to that. */
  readonly folder: string;
  readonly chance: Chance;
  /** What somebody is told who finds the run taken. */
  readonly holder?: string;
  readonly vocabulary?: Vocabulary;
}

export class FileJournal implements Journal {
  readonly recorded: readonly Recorded[];
  readonly recovered: readonly string[];
  /** By number, from 1: which record it really is. */
  readonly #sums: string[];
  /** The last moment as it is written: appends that come together have the same, and the calendar is slow. */
  #at = { ms: 0, text: new Date(0).toISOString() };
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly files: Files,
    private readonly folder: Folder,
    private readonly lock: Lock,
    private readonly log: Log,
    vocabulary: Vocabulary,
  ) {
    this.recorded = log.records.map((record) => inTodaysWords(record, vocabulary));
    this.recovered = log.recovered;
    this.#sums = ["", ...log.records.map(({ sum }) => sum)];
  }

  static open(opening: Opening): FileJournal {
    const files = guard(opening.files);
    const folder = files.openRoot(opening.folder);
    let lock: Lock | undefined;
    try {
      lock = takeLock(files, folder, opening.holder ?? `process ${process.pid}`);
      return FileJournal.#openLocked(opening, { files, folder, lock });
    } catch (error) {
      lock?.release();
      files.close(folder);
      throw error instanceof LogDamaged ? Object.assign(error, { hint: whatToDo(error.code) }) : error;
    }
  }

  static #openLocked(
    { chance, vocabulary = runVocabulary }: Opening,
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

  /** Waits for what is on its way; rejects when that did not become durable. The lock is free afterwards in any case. */
  close(): Promise<void> {
    this.#closing ??= this.log.finish().finally(() => {
      this.lock.release();
      this.files.close(this.folder);
    });
    return this.#closing;
  }

  /** The state as it was after one of the records that are there; nothing when none is kept that can be trusted. */
  snapshot(version: number): Snapshot | undefined {
    const { files, folder } = this;
    return readSnapshot({ files, folder, version, sumOf: (seq) => this.#sums[seq] });
  }

  /** Keeps the state as it is after the record `seq`, for a quicker start. It may be lost at any time. */
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

function inTodaysWords(record: LogRecord, vocabulary: Vocabulary): Recorded {
  const recorded = understood(record, vocabulary);
  assert(recorded, `record ${record.seq} was understood when the log was opened`);
  return recorded;
}
