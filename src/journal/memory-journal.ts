/**
 * A journal in memory, for simulations: the same promises as the one in files, at the price of an array.
 *
 * It is the disk as well: `open` makes a writer, of which there is one at a time; `crash` ends that writer and loses what
 * was not durable. What is opened again comes from JSON, as from a file, so that nothing survives that would not.
 */
import { GroupCommit } from "../durable/group-commit.ts";
import { DiskFailed } from "../durable/guard.ts";
import { LockHeld, LockLost } from "../durable/lock.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { Event } from "../kernel/event.ts";
import { assert } from "../std/assert.ts";
import { errnoOf } from "../world/errno.ts";
import type { Journal, Moment, Recorded } from "./journal.ts";

export interface Wishes {
  /** What a sync waits for; it fails when this rejects. Without it everything is durable in the next moment. */
  sync?(): Promise<void>;
}

export function memoryJournal(wishes: Wishes = {}): MemoryJournal {
  return new MemoryJournal(wishes);
}

class MemoryJournal {
  /** What is written, by append, each a list of records in JSON. */
  readonly #batches: Batch[] = [];
  #durable = 0;
  #writer: Writer | undefined;

  constructor(private readonly wishes: Wishes) {}

  /** Throws LOCK_HELD while there is a writer. */
  open(): Journal {
    if (this.#writer) throw new LockHeld("this run", "a writer in memory");
    // Whoever opens makes durable what it found, before acting on it.
    this.#durable = this.#batches.length;
    return this.#newWriter();
  }

  /** As if somebody removed the lock's file: the next `open` is let in, and the writer of before is none any more. */
  loseLock(): void {
    this.#writer?.loseLock();
    this.#writer = undefined;
  }

  /** Somebody without the lock appends a record. */
  interfere(event: Event, moment: Moment): void {
    const seq = this.#count + 1;
    this.#batches.push({ records: 1, json: JSON.stringify([{ ...event, ...moment, seq, fence: seq }]) });
  }

  /** How many appends would be lost if the crash came now: those that are on their way count as well. */
  get unsettled(): number {
    return this.#batches.length - this.#durable + (this.#writer?.gathered.length ?? 0);
  }

  /** The writer ends here. Of the appends that are not durable the first `kept` survive all the same. */
  crash(kept = 0): void {
    const all = [...this.#batches, ...(this.#writer?.gathered ?? [])];
    assert(kept >= 0 && this.#durable + kept <= all.length, "no more survives than there was");
    this.#batches.splice(0, Number.POSITIVE_INFINITY, ...all.slice(0, this.#durable + kept));
    this.loseLock();
  }

  /** What survives a crash that comes now, in any case: as the next writer will read it. */
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
        await this.wishes.sync?.();
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
  /** Appended and not yet written. */
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
