/** Mistakes that a careful person could make in the journal, each sown into a copy of the sources and caught. */
import { exploreJournal, failJournal } from "./journal-explore.ts";
import { type JournalProgram, journalLives } from "./journal-life.ts";
import { holdJournalPromises } from "./journal-promises.ts";

export const journalLayers = {
  promises: holdJournalPromises,
  kill: exploring(["kill"]),
  ordered: exploring(["ordered"]),
  weak: exploring(["weak"]),
  faults: async (program: JournalProgram) => {
    for (const life of journalLives) await failJournal(program, life, { codes: ["EIO"] });
  },
} as const satisfies Record<string, (program: JournalProgram) => Promise<void>>;

export type JournalLayerName = keyof typeof journalLayers;

export interface JournalMistake {
  readonly name: string;
  /** Below `src/`. */
  readonly file: string;
  /** Must occur there exactly once. */
  readonly find: string;
  readonly put: string;
  readonly caughtBy: JournalLayerName;
}

export const journalMistakes: readonly JournalMistake[] = [
  {
    name: "an append is acknowledged before it is synced",
    file: "durable/log.ts",
    find: "await synced;",
    put: "synced.catch(() => undefined);",
    caughtBy: "ordered",
  },
  {
    name: "the next group is written before the one before it is durable",
    file: "durable/group-commit.ts",
    find: "await this.ports.sync();",
    put: "void this.ports.sync().catch(() => undefined);",
    caughtBy: "faults",
  },
  {
    name: "the head speaks of records before they are synced",
    file: "durable/log.ts",
    find: "const synced = this.opening.files.syncData(this.file);",
    put: "await this.#writeHead(); const synced = this.opening.files.syncData(this.file);",
    caughtBy: "weak",
  },
  {
    name: "the head is put in place before its bytes are synced",
    file: "durable/replace-file.ts",
    find: "await files.syncData(file);",
    put: "",
    caughtBy: "weak",
  },
  {
    name: "an append without its end is taken as it is",
    file: "durable/scan.ts",
    find: "if (line.seq !== line.batch[1]) continue;",
    put: "if (line.seq !== line.batch[1] && stop + 1 < bytes.length) continue;",
    caughtBy: "kill",
  },
  {
    name: "a torn tail stays where it is",
    file: "durable/recover-log.ts",
    find: "if (end.offset < size) notes.push(cut(opening, file, { end, size }));",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "a writer acts on records that only the page cache holds",
    file: "durable/recover-log.ts",
    find: "files.sync(file);\n",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "the name of a new log is not synced",
    file: "durable/recover-log.ts",
    find: "  files.sync(folder);\n",
    put: "",
    caughtBy: "weak",
  },
  {
    name: "after a failed write the writer goes on",
    file: "durable/group-commit.ts",
    find: "    if (this.#failure) throw this.#failure.cause;\n",
    put: "    this.#failure = undefined;\n",
    caughtBy: "faults",
  },
  {
    name: "nobody looks whether the lock is still ours",
    file: "durable/log.ts",
    find: "if (lock && !lock.isStillThere()) throw new LockLost();",
    put: "",
    caughtBy: "promises",
  },
  {
    name: "nobody looks whether somebody else wrote",
    file: "durable/log.ts",
    find: "if (bytes !== this.#size)",
    put: "if (size < this.#size)",
    caughtBy: "promises",
  },
  {
    name: "nobody looks whether the lock is still where it was",
    file: "durable/log.ts",
    find: "if (lock && !lock.isStillOurs()) throw new LockLost();",
    put: "",
    caughtBy: "promises",
  },
  {
    name: "nobody asks the head",
    file: "durable/recover-log.ts",
    find: "if (headState) mustNotContradict(headState, name, scanned.end);",
    put: "",
    caughtBy: "promises",
  },
];

function exploring(modes: Parameters<typeof exploreJournal>[0]["modes"]) {
  return async (program: JournalProgram): Promise<void> => {
    for (const life of journalLives)
      await exploreJournal({ program, life, modes, disksMax: 8, nestedShare: 0.02, seed: 1 });
  };
}
