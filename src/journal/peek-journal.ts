/**
 * Reads a run's journal without its lock, once or repeatedly as it grows. It writes nothing.
 *
 * It shows only whole, chained appends, and only once they are durable: the reader itself syncs the file first, so it
 * never shows a record that a power cut could still take away. Records of a newer version are shown as they were
 * written.
 */
import { beginning, type LogPosition, type LogRecord } from "../durable/scan.ts";
import type { Problem } from "../std/problem.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { fileNames } from "./file-names.ts";
import type { Recorded } from "./journal.ts";
import { headWarning, type LogDamage, readLog } from "./read-log.ts";
import { asWritten, runVocabulary, type Unknown, understood } from "./vocabulary.ts";

/** A record as a current event, or as it was written if this version does not know it. */
export type PeekedRecord = (Recorded & { readonly known: true }) | (Unknown & { readonly known: false });

/** `folder` is the path of the run's folder. */
export function peekJournal(files: Files, folder: string): JournalPeek {
  return new JournalPeek(files, files.openRoot(folder));
}

class JournalPeek {
  #from: LogPosition = beginning;
  /** Checksums by record number, from 1: they identify the records. */
  readonly #sums = [""];
  #damage: LogDamage | undefined;
  #warning: Problem | undefined;

  constructor(
    private readonly files: Files,
    private readonly folder: Folder,
  ) {}

  /** What was wrong with the log at the last read. Nothing after the damage is shown. */
  get damage(): LogDamage | undefined {
    return this.#damage;
  }

  /** Not damage itself, but it could hide damage. */
  get warning(): Problem | undefined {
    return this.#warning;
  }

  /** Throws the damage, if there is any: for callers that act on what they read. */
  mustBeSound(): void {
    const damage = this.#damage;
    if (damage) throw Object.assign(new Error(damage.message), { code: damage.code, problem: damage });
  }

  /** Returns the sound records since the last call, or since the beginning; empty while there is no log yet. */
  async read(): Promise<readonly PeekedRecord[]> {
    const { files, folder } = this;
    const reading = readLog(files, folder, { from: this.#from, sumOf: (seq) => this.#sums[seq] });
    const { records, end } = reading.scanned;
    if (records.length > 0) await this.#sync();
    this.#from = end;
    this.#sums.push(...records.map(({ sum }) => sum));
    this.#damage = reading.damage;
    this.#warning = headWarning(reading);
    return records.map(seenFrom);
  }

  async #sync(): Promise<void> {
    const file = this.files.open(this.folder, fileNames.log, "read");
    try {
      await this.files.syncData(file);
    } finally {
      this.files.close(file);
    }
  }

  close(): void {
    this.files.close(this.folder);
  }
}

function seenFrom(record: LogRecord): PeekedRecord {
  const recorded = understood(record, runVocabulary);
  return recorded ? { ...recorded, known: true } : { ...asWritten(record), known: false };
}
