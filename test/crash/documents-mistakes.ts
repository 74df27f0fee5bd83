/** Mistakes that a careful person could make in the document store, each sown into a copy of the sources and caught. */
import { editDocumentsMeanwhile, loseLock, takeBackByHand, takeTurns } from "./documents-editor.ts";
import { exploreDocuments, failDocuments } from "./documents-explore.ts";
import { type DocumentsProgram, documentsLives } from "./documents-life.ts";
import { Matrix } from "./matrix.ts";

export const documentsLayers = {
  promises: async (program) => {
    await takeBackByHand(program);
    await takeTurns(program);
  },
  lock: loseLock,
  editor: editDocumentsMeanwhile,
  kill: exploring(["kill"]),
  ordered: exploring(["ordered"]),
  weak: exploring(["weak"]),
  /** Crashes around the record and right after it, where the next process has most to finish. */
  nested: async (program) => {
    for (const life of documentsLives.slice(0, 1))
      await exploreDocuments({
        program,
        life,
        modes: ["kill"],
        disksMax: 1,
        nestedShare: 1,
        seed: 1,
        calls: { first: 21, last: 23 },
      });
  },
  faults: async (program) => {
    for (const life of documentsLives.slice(0, 2)) await failDocuments(program, life, { codes: ["ENOSPC"] });
  },
} as const satisfies Record<string, (program: DocumentsProgram) => Promise<unknown>>;

export type DocumentsLayerName = keyof typeof documentsLayers;

export const documentsMatrix = new Matrix("documents", Object.keys(documentsLayers) as DocumentsLayerName[]);

export interface DocumentsMistake {
  readonly name: string;
  /** Below `src/`. */
  readonly file: string;
  /** Must occur there exactly once. */
  readonly find: string;
  readonly put: string;
  readonly caughtBy: DocumentsLayerName;
}

export const documentsMistakes: readonly DocumentsMistake[] = [
  {
    name: "what is staged is not synced before it is put in place",
    file: "document-store/commit.ts",
    find: "tree.files.syncAll(staging.handles), log.durable()",
    put: "log.durable()",
    caughtBy: "weak",
  },
  {
    name: "a record counts as durable without a sync",
    file: "durable/log.ts",
    find: "sync: () => this.#sync().catch(rethrowNamed),",
    put: "sync: () => Promise.resolve(),",
    caughtBy: "ordered",
  },
  {
    name: "the record is written after the renames",
    file: "document-store/commit.ts",
    find: "const record = await writeDown(turn, staging, change);",
    put: `staging.makeFolders(); staging.putInPlace(); const record = await writeDown(turn, staging, change);
      await turn.folders.sync(revisions.map(({ path }) => path)); turn.head.move(turn.log.place); return true;`,
    caughtBy: "kill",
  },
  {
    name: "the folders of the documents are not synced",
    file: "document-store/commit.ts",
    find: "await turn.folders.sync(revisions.map(({ path }) => path));",
    put: "",
    caughtBy: "weak",
  },
  {
    name: "a new folder is synced, but not the one that it is in",
    file: "document-store/durable-folders.ts",
    find: "if (isBelowDurable) break;",
    put: "break;",
    caughtBy: "weak",
  },
  {
    name: "a change counts as finished before its names are durable",
    file: "document-store/commit.ts",
    find: "await turn.folders.sync(revisions.map(({ path }) => path));\n    turn.head.move(turn.log.place);",
    put: "turn.head.move(turn.log.place);\n    await turn.folders.sync(revisions.map(({ path }) => path));",
    caughtBy: "weak",
  },
  {
    name: "the end of a change is not recorded",
    file: "document-store/commit.ts",
    find: "path));\n    turn.head.move(turn.log.place);",
    put: "path));",
    caughtBy: "promises",
  },
  {
    name: "the next process does not finish what the one before left",
    file: "document-store/write-sessions.ts",
    find: "if (!head.isAt(log.place)) await finishLast(turn, news);",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "a change that is finished for another process is not synced",
    file: "document-store/finish-last.ts",
    find: "await tree.files.syncAll(staging.handles);",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "names that another process created count as durable",
    file: "document-store/finish-last.ts",
    find: "await folders.sync(snapshots.map(({ file }) => file.path));",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "a recovery overwrites what an editor saved",
    file: "document-store/finish-last.ts",
    find: 'hash === file.before ? "before" : "foreign"',
    put: '"before"',
    caughtBy: "editor",
  },
  {
    name: "a torn record stays where it is",
    file: "durable/recover-log.ts",
    find: "if (end.offset < size) notes.push(cut(opening, file, { end, size }));",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "a process builds on records that are only in the page cache",
    file: "durable/recover-log.ts",
    find: "files.sync(file);\n",
    put: "",
    caughtBy: "nested",
  },
  {
    name: "the documents are not checked again before they are put in place",
    file: "document-store/commit.ts",
    find: "revisions.every((revision) => isStillSo(shelf, revision)) && staging.putInPlace()",
    put: "staging.putInPlace()",
    caughtBy: "editor",
  },
  {
    name: "a new document replaces one that somebody created in the same moment",
    file: "document-store/staging.ts",
    find: "telling(path, () => files.link(staged, name, entry.folder, entry.name));",
    put: "files.rename(staged, name, entry.folder, entry.name); this.#names.delete(name); return true;",
    caughtBy: "editor",
  },
  {
    name: "a change that was not carried out stays in the log",
    file: "document-store/commit.ts",
    find: "      withdraw(turn, record);\n      return false;",
    put: "      return false;",
    caughtBy: "editor",
  },
  {
    name: "it is not checked what became of a record when the lock was lost",
    file: "document-store/file-store.ts",
    find: "if (!decided || !record || !(await this.#stands(record))) return undefined;",
    put: "return undefined;",
    caughtBy: "lock",
  },
  {
    name: "records of other processes are not read",
    file: "durable/log.ts",
    find: "if (files.statOf(this.file).size === this.#size) return [];",
    put: "this.#size = files.statOf(this.file).size; return [];",
    caughtBy: "promises",
  },
  {
    name: "files that a killed process left are not removed",
    file: "document-store/write-sessions.ts",
    find: "room.clear();",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "after a failed write the same log is used again",
    file: "document-store/write-sessions.ts",
    find: "if (isSpoilt) await this.#closeLog();",
    put: "if (isSpoilt) await Promise.resolve();",
    caughtBy: "faults",
  },
];

function exploring(modes: Parameters<typeof exploreDocuments>[0]["modes"]) {
  return async (program: DocumentsProgram): Promise<void> => {
    for (const life of documentsLives.slice(0, 3))
      await exploreDocuments({ program, life, modes, disksMax: 1, nestedShare: 0, seed: 1 });
  };
}
