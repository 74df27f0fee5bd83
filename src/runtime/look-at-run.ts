/** Reads a run without taking a lock or writing anything: its state from the log, and its latest signs of life. */

import type { Recorded } from "../journal/journal.ts";
import { peekJournal, type PeekedRecord as SeenRecord } from "../journal/peek-journal.ts";
import type { LogDamage } from "../journal/read-log.ts";
import { evolve } from "../kernel/evolve.ts";
import { initialState } from "../kernel/initial.ts";
import type { MutableState } from "../kernel/state.ts";
import type { Problem } from "../std/problem.ts";
import { noLiveness, type RunSnapshot } from "../view/status/liveness.ts";
import type { Files } from "../world/files/files.ts";
import { readLiveRecord, runTimeAt } from "./folder/live-record.ts";
import type { RunFolder } from "./folder/run-folder.ts";
import { isWritten } from "./is-written.ts";

export class RunLook {
  readonly #state: MutableState = initialState();
  readonly #peek: ReturnType<typeof peekJournal>;

  constructor(
    private readonly files: Files,
    private readonly folder: RunFolder,
  ) {
    this.#peek = peekJournal(files, folder.path);
  }

  /** Damage in the log; nothing after it is read. */
  get damage(): LogDamage | undefined {
    return this.#peek.damage;
  }

  /** Problems that are not damage themselves but would hide it. */
  get warnings(): readonly Problem[] {
    const { warning } = this.#peek;
    return warning ? [warning] : [];
  }

  /** Throws the damage, if there is any: for callers that act on what they see. */
  mustBeSound(): void {
    this.#peek.mustBeSound();
  }

  /** Events recorded since the last call. Those that only a newer version knows are left out. */
  async read(): Promise<readonly Recorded[]> {
    return (await this.readAll()).flatMap((one) => (one.known ? [one] : []));
  }

  /** The same, including events of a newer version as they were written. */
  async readAll(): Promise<readonly SeenRecord[]> {
    const records = await this.#peek.read();
    for (const one of records) if (one.known) evolve(this.#state, one);
    return records;
  }

  /** `at` is wall-clock time in milliseconds. */
  seen(at: number): RunSnapshot {
    const isAlive = isWritten(this.files, this.folder);
    const live = readLiveRecord(this.folder);
    const now = { at, time: runTimeAt(at, this.#state, live) };
    const { turns, checks } = live ?? noLiveness(isAlive);
    const beat = live && { lastBeat: { at: Math.min(live.at, at), time: Math.min(live.time, now.time) } };
    return { state: this.#state, now, liveness: { isAlive, turns, checks, ...beat } };
  }

  close(): void {
    this.#peek.close();
    this.folder.close();
  }
}
