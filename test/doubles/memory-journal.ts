/**
 * A journal in memory, for simulations: the same promises as the one in files, at the cost of an array.
 *
 * It plays the disk as well: `open` makes a writer, one at a time; `crash` ends that writer and loses what was not
 * durable. Reopening reads the events back from JSON, as from a file, so nothing survives that would not survive there.
 */

import { GroupCommit } from "../../src/durable/group-commit.ts";
import { DiskFailed } from "../../src/durable/guard.ts";
import { LockHeld, LockLost } from "../../src/durable/lock.ts";
import { LogDamaged } from "../../src/durable/log-damaged.ts";
import type { Journal, Recorded } from "../../src/journal/journal.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Moment } from "../../src/kernel/moment.ts";
import { assert } from "../../src/std/assert.ts";
import { errnoOf } from "../../src/world/files/errno.ts";

export interface MemoryJournalOptions {
  /** What a sync waits for; the sync fails if this rejects. Without it, everything is durable a moment later. */
  sync?(): Promise<void>;
}

export function memoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  return new MemoryJournal(options);
}

class MemoryJournal {
  /** What is written, one entry per append, each a list of records in JSON. */
  readonly #batches: Batch[] = [];
  #durable = 0;
  #writer: Writer | undefined;

  constructor(private readonly options: MemoryJournalOptions) {}

  /** Throws LOCK_HELD while there is a writer. */
  open(): Journal {
    if (this.#writer) throw new LockHeld("this run", "a writer in memory");
    // Opening makes what it finds durable before anything acts on it.
    this.#durable = this.#batches.length;
    return this.#newWriter();
  }

  /** As if somebody removed the lock file: the next `open` succeeds, and the old writer has lost its lock. */
  loseLock(): void {
    this.#writer?.loseLock();
    this.#writer = undefined;
  }

  /** Somebody without the lock appends a record. */
  interfere(event: Event, moment: Moment): void {
    const seq = this.#count + 1;
    this.#batches.push({ records: 1, json: JSON.stringify([{ ...event, ...moment, seq, fence: seq }]) });
  }

  /** How many appends a crash right now would lose, including those not yet written. */
  get unsettled(): number {
    return this.#batches.length - this.#durable + (this.#writer?.gathered.length ?? 0);
  }

  /** Ends the writer. Of the appends that are not durable, the first `kept` survive. */
  crash(kept = 0): void {
    const all = [...this.#batches, ...(this.#writer?.gathered ?? [])];
    assert(kept >= 0 && this.#durable + kept <= all.length, "no more survives than there was");
    this.#batches.splice(0, Number.POSITIVE_INFINITY, ...all.slice(0, this.#durable + kept));
    this.loseLock();
  }

  /** What survives a crash right now in any case, as the next writer will read it. */
  survivors(): readonly Recorded[] {
    return this.#batches.slice(0, this.#durable).flatMap(decoded);
  }

  get #count(): number {
    return this.#batches.reduce((count, { records }) => count + records, 0);
  }

  #newWriter(): Journal {
    const disk: Disk = {
      write: (batches) => this.#batches.push(...batches),
      size: () => this.#batches.length,
      sync: async () => {
        const written = this.#batches.length;
        await this.options.sync?.();
        if (this.#writer === writer) this.#durable = written;
      },
      release: () => {
        if (this.#writer === writer) this.#writer = undefined;
      },
    };
    const writer = new Writer(disk, this.#batches.flatMap(decoded));
    this.#writer = writer;
    return writer;
  }
}

interface Batch {
  readonly records: number;
  readonly json: string;
}

interface Disk {
  write(batches: readonly Batch[]): void;
  size(): number;
  sync(): Promise<void>;
  release(): void;
}

class Writer implements Journal {
  readonly recovered: readonly string[] = [];
  /** Appended but not yet written. */
  gathered: Batch[] = [];
  readonly #fence: number;
  readonly #group: GroupCommit<Batch>;
  #next: number;
  #size: number;
  #isWriter = true;
  #isOpen = true;

  constructor(
    private readonly disk: Disk,
    readonly recorded: readonly Recorded[],
  ) {
    this.#fence = recorded.length + 1;
    this.#next = this.#fence;
    this.#size = disk.size();
    this.#group = new GroupCommit({
      write: (batches) => this.#write(batches),
      sync: () => disk.sync().catch(rethrowNamed),
    });
  }

  append(events: readonly Event[], { at, time }: Moment): readonly Recorded[] {
    assert(this.#isOpen, "the journal is open");
    assert(events.length > 0, "an append has a record");
    this.#group.mustGoOn();
    if (this.#group.isEmpty) this.#orFailForGood(() => this.#mustBeOurs());
    const fence = this.#fence;
    const records = events.map((event) => ({ ...event, at, time, seq: this.#next++, fence }) as Recorded);
    const batch = { records: records.length, json: JSON.stringify(records) };
    this.gathered.push(batch);
    this.#group.add(batch);
    return records;
  }

  durable(): Promise<void> {
    return this.#group.durable();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    try {
      await this.durable();
    } finally {
      await this.#group.ended();
      this.disk.release();
    }
  }

  loseLock(): void {
    this.#isWriter = false;
    this.gathered = [];
    this.#group.fail(new LockLost());
  }

  #write(batches: readonly Batch[]): void {
    this.#mustBeOurs();
    this.disk.write(batches);
    this.#size += batches.length;
    this.gathered = this.gathered.slice(batches.length);
  }

  #mustBeOurs(): void {
    if (!this.#isWriter) throw new LockLost();
    if (this.disk.size() !== this.#size)
      throw new LogDamaged("LOG_FOREIGN", "the log", "somebody else wrote it; nothing more is written");
  }

  #orFailForGood(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#group.fail(error);
      throw error;
    }
  }
}

function decoded({ json }: Batch): Recorded[] {
  return JSON.parse(json) as Recorded[];
}

function rethrowNamed(error: unknown): never {
  throw errnoOf(error) ? new DiskFailed(error) : error;
}
