/**
 * A short life of the documents: a sequence of changes by one or several processes. Acknowledgements are recorded
 * outside the disk, so that a crash cannot undo them.
 */
import { type DocumentPath, fileOf } from "../../src/document/address.ts";
import type {
  Author,
  DocumentEdit,
  DocumentStore,
  Library,
  StoreDecision,
} from "../../src/document/store.ts";
import type { FileStore } from "../../src/document-store/file-store.ts";
import type { ModelDisk, Plain } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

/** The class under test: the real one, or a copy with a mistake sown into it. */
export type DocumentsProgram = Pick<typeof FileStore, "open">;

export interface DocumentsLife {
  readonly name: string;
  /** The documents at the beginning, by path. */
  readonly before: Readonly<Record<string, string>>;
  readonly steps: readonly (ChangeStep | "another process")[];
}

/** What happens to each document: `add` appends text and also inserts some in the middle; `remove` deletes it. */
export type ChangeStep = Readonly<Record<string, "add" | "remove">>;

export const a = "/a.md" as DocumentPath;
const b = "/folder/b.md" as DocumentPath;
export const active = "/coordinator/active.md" as DocumentPath;
export const archived = "/archived/coordinator/active-1.md" as DocumentPath;

export const documentsLives: readonly DocumentsLife[] = [
  { name: "the first change ever", before: {}, steps: [{ [a]: "add" }] },
  {
    name: "edits of two documents in turn",
    before: { [a]: "one\ntwo\n", [b]: "three\nfour\n" },
    steps: [{ [a]: "add" }, { [b]: "add" }, { [a]: "add" }],
  },
  {
    name: "a list that goes into a new archive",
    before: { [active]: "list\nof tasks\n" },
    steps: [{ [active]: "add" }, { [archived]: "add", [active]: "remove" }, { [active]: "add" }],
  },
  {
    name: "three documents together, by three processes",
    before: { [a]: "one\ntwo\n", [b]: "three\nfour\n" },
    steps: [
      { [a]: "add", [b]: "add", [active]: "add" },
      "another process",
      { [a]: "add", [b]: "add", [active]: "remove" },
      "another process",
      { [b]: "remove", [a]: "add" },
    ],
  },
];

export interface DocumentsLog {
  acknowledged: number;
  /** Documents whose change was acknowledged after a failure. */
  readonly afterFailure: string[];
}

export function nothingReported(): DocumentsLog {
  return { acknowledged: 0, afterFailure: [] };
}

export function plainOf({ before }: DocumentsLife): Plain {
  const files = Object.entries(before).map(([path, text]) => [
    `.coxswain/${fileOf(path as DocumentPath)}`,
    text,
  ]);
  return Object.fromEntries(files);
}

/** A lock left behind by a failed close is never released; any other is released in a hundredth of this time. */
const waitMs = 500;

export function openDocuments(program: DocumentsProgram, disk: ModelDisk, id = "it"): FileStore {
  const clock = { now: () => 1_700_000_000_000 };
  return program.open({ files: modelFiles(disk), root: "/", clock, chance: { id: () => id }, waitMs });
}

export const author: Author = { name: "the test", door: "terminal" };

export async function liveDocuments(
  program: DocumentsProgram,
  life: DocumentsLife,
  disk: ModelDisk,
  told: DocumentsLog,
): Promise<void> {
  let store = openDocuments(program, disk);
  try {
    for (const [number, step] of stepsOf(life).entries()) {
      if (step.isByAnother) {
        await store.close();
        store = openDocuments(program, disk);
      }
      await store.change(author, deciding(`step ${number}`, step.change));
      told.acknowledged = number + 1;
    }
  } catch (error) {
    await goOnAfterFailure(store, told);
    throw error;
  } finally {
    await store.close().catch(() => undefined);
  }
}

/** After a failure the store may continue or refuse. What it then acknowledges must be there. */
async function goOnAfterFailure(store: DocumentStore, told: DocumentsLog): Promise<void> {
  try {
    await store.change(author, deciding("after the failure", { "/after.md": "add" }));
    told.afterFailure.push("/after.md");
  } catch {
    // Refusing is allowed.
  }
}

export function changesOf({ steps }: DocumentsLife): number {
  return steps.filter((step) => step !== "another process").length;
}

function stepsOf({ steps }: DocumentsLife): { change: ChangeStep; isByAnother: boolean }[] {
  return steps.flatMap((change, at) =>
    change === "another process" ? [] : [{ change, isByAnother: steps[at - 1] === "another process" }],
  );
}

export function deciding(about: string, step: ChangeStep) {
  return (now: Library): StoreDecision<undefined> => ({
    answer: undefined,
    edits: Object.entries(step).map(([path, what]) => editOf(now, path as DocumentPath, { about, what })),
    done: { tool: "test", about },
  });
}

function editOf(
  now: Library,
  path: DocumentPath,
  { about, what }: { about: string; what: "add" | "remove" },
): DocumentEdit {
  const { document, problem } = now.read(path);
  if (problem) throw Object.assign(new Error(problem.message), { code: problem.code });
  // An archive takes over the list's text, as a rule of the product would.
  const list = path === archived ? (now.read(active).document?.text ?? "") : "";
  if (!document) return { do: "create", path, text: `${list}${about}\n` };
  if (what === "remove") return { do: "remove", path };
  const { text } = document;
  const middle = text.indexOf("\n") + 1;
  const splices = [
    { start: text.length, end: text.length, text: `${about}\n` },
    ...(middle < text.length ? [{ start: middle, end: middle, text: `in ${about}\n` }] : []),
  ];
  return { do: "splice", path, splices };
}

/** The documents' texts by path, without those that a test wrote after the life. */
export function documentsOn(disk: ModelDisk): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, entry] of disk.snapshot()) {
    const isDocument = /^\.coxswain\/(docs|coordinator|archived)\//.test(path);
    if (!isDocument || entry.kind !== "file" || /\/(next|after)\.md$/.test(path)) continue;
    found.set(path, new TextDecoder().decode(entry.bytes));
  }
  return found;
}

export function printOf(documents: ReadonlyMap<string, string>): string {
  return JSON.stringify([...documents].sort());
}
