/**
 * What is remembered about an agent's session: when it was compacted and at which task, and what it was reminded of.
 *
 * Each session has a small file in `.coxswain/sessions/`, which git ignores. Losing one loses no work, so nothing here
 * is worth a failure: what cannot be read counts as empty.
 */
import { replaceFileNow } from "../../durable/replace-file.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { tolerating } from "../../world/files/errno.ts";
import type { Files, LentFolder } from "../../world/files/files.ts";
import type { Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";

export interface SessionNotes {
  /** Since the session began, including those whose details are no longer kept. */
  readonly compactions: number;
  /** Newest last. */
  readonly compacted: readonly Compaction[];
  /** What it was reminded of, newest last; no reminder is repeated. */
  readonly reminded: readonly string[];
}

export interface Compaction {
  readonly at: string;
  /** `manual` or `auto`, as Claude Code calls it. */
  readonly trigger: string;
  /** The slug of the current task. */
  readonly task: string | null;
}

const folderPath = ".coxswain/sessions";
const bytesMax = 64 * 1024;
const compactionsKept = 20;
const remindersKept = 200;
const sessionsKept = 50;
const nothing: SessionNotes = { compactions: 0, compacted: [], reminded: [] };

/** Session names come from outside and become file names. */
export function isSessionName(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(name);
}

export function readSessionNotes(tree: Tree, session: string): SessionNotes {
  try {
    const read = tree.read(`${folderPath}/${session}.json`, bytesMax);
    return read ? notesIn(JSON.parse(decodeUtf8(read.bytes))) : nothing;
  } catch (error) {
    if (error instanceof TreeError || error instanceof SyntaxError) return nothing;
    throw error;
  }
}

/** `.coxswain` must exist. */
export function keepSessionNotes(tree: Tree, session: string, notes: SessionNotes): void {
  const { files } = tree;
  const isNew = !tree.hasFolder(folderPath);
  tree.make(folderPath);
  const kept: SessionNotes = {
    compactions: notes.compactions,
    compacted: notes.compacted.slice(-compactionsKept),
    reminded: notes.reminded.slice(-remindersKept),
  };
  const bytes = encodeUtf8(`${JSON.stringify(kept, undefined, 2)}\n`);
  tree.withFolder(folderPath, (folder) => {
    if (isNew) replaceFileNow({ files, folder, name: ".gitignore", bytes: encodeUtf8("*\n") });
    replaceFileNow({ files, folder, name: `${session}.json`, bytes });
    if (files.list(folder).length > sessionsKept + 10) forgetOldest(files, folder);
  });
}

function forgetOldest(files: Files, folder: LentFolder): void {
  const notes = files
    .list(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name, modified: files.stat(folder, name)?.modified ?? 0n }))
    .sort((one, other) => Number(other.modified - one.modified));
  for (const { name } of notes.slice(sessionsKept)) tolerating("ENOENT", () => files.unlink(folder, name));
}

function notesIn(value: unknown): SessionNotes {
  if (typeof value !== "object" || value === null) return nothing;
  const { compactions, compacted, reminded } = value as Readonly<Record<string, unknown>>;
  return {
    compactions: typeof compactions === "number" && compactions >= 0 ? compactions : 0,
    compacted: Array.isArray(compacted) ? compacted.filter(isCompaction) : [],
    reminded: Array.isArray(reminded) ? reminded.filter((one) => typeof one === "string") : [],
  };
}

function isCompaction(value: unknown): value is Compaction {
  if (typeof value !== "object" || value === null) return false;
  const { at, trigger, task } = value as Readonly<Record<string, unknown>>;
  return typeof at === "string" && typeof trigger === "string" && (task === null || typeof task === "string");
}
