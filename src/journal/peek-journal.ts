/**
 * A look at a run's journal without its lock: once, or again and again as it grows. It writes nothing.
 *
 * Only whole, chained appends are shown, and only once they are durable: the reader itself waits for a sync of the file,
 * so that nobody is told of a record that a power cut can still take back. Records of a newer version are shown as they
 * were written.
 */
import { type DamageCode, LogDamaged } from "../durable/log-damaged.ts";
import { beginning, type LogRecord, type Place, scanLog } from "../durable/scan.ts";
import type { Files, Folder } from "../world/files.ts";
import { fileNames } from "./file-names.ts";
import type { Recorded } from "./journal.ts";
import { asWritten, runVocabulary, type Unknown, understood } from "./vocabulary.ts";
import { whatToDo } from "./what-to-do.ts";

/** A record in today's words, or as it was written where this version has none. */
export type Seen = (Recorded & { readonly known: true }) | (Unknown & { readonly known: false });

/** `folder` is the path of the run's folder. */
export function peekJournal(files: Files, folder: string): JournalPeek {
  return new JournalPeek(files, files.openRoot(folder));
}

class JournalPeek {
  #from: Place = beginning;

  constructor(
    private readonly files: Files,
    private readonly folder: Folder,
  ) {}

  /**
   * What came since the last time, or since the beginning; nothing where no log is yet. Sound records before a damage are
   * answered with first; when only the damage is left, it is thrown.
   */
  async read(): Promise<readonly Seen[]> {
    const { files, folder } = this;
    const found = files.stat(folder, fileNames.log);
    if (!found && this.#from.offset === 0) return [];
    if (!found) throw told("LOG_LOST_TAIL", "it is not there any more");
    if (found.kind !== "file") throw told("STATE_UNSAFE", "it is not a regular file");
    const file = files.open(folder, fileNames.log, "read");
    try {
      const { size } = files.statOf(file);
      const { offset, seq } = this.#from;
      if (size < offset) throw told("LOG_LOST_TAIL", `it was cut off before record ${seq}, which was there`);
      const { records, end, damage } = scanLog(files.read(file, offset, size - offset), this.#from);
      if (damage && records.length === 0) throw told("LOG_CORRUPT", damage.why, damage);
      if (records.length > 0) await files.syncData(file);
      this.#from = end;
      return records.map(seenFrom);
    } finally {
      files.close(file);
    }
  }

  close(): void {
    this.files.close(this.folder);
  }
}

function seenFrom(record: LogRecord): Seen {
  const recorded = understood(record, runVocabulary);
  return recorded ? { ...recorded, known: true } : { ...asWritten(record), known: false };
}

function told(code: DamageCode, why: string, place?: LogDamaged["place"]): LogDamaged {
  return Object.assign(new LogDamaged(code, fileNames.log, why, place), { hint: whatToDo(code) });
}
