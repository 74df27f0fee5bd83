/**
 * What is remembered of one agent's session: when it was compacted and at which task, and what it was reminded of.
 *
 * A small file for each in `.coxswain/sessions/`, which git ignores. Losing one loses no work, so nothing here is worth
 * a failure: what cannot be read counts as empty.
 */
import { replaceFileNow } from "../durable/replace-file.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { tolerating } from "../world/errno.ts";
import type { Folder } from "../world/files.ts";
import { type Tree, TreeError } from "../world/tree.ts";

export interface SessionNotes {
  /** Since the session began; also those of which no note is kept any more. */
  readonly compactions: number;
  /** The newest last. */
  readonly compacted: readonly Compaction[];
  /** What it was reminded of, the newest last: nothing is said twice. */
  readonly reminded: readonly string[];
}

export interface Compaction {
  readonly at: string;
  /** `manual` or `auto`, in Claude Code's words. */
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

/** Names of sessions come from outside and become names of files. */
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

/** `.coxswain` must be there. */
export function keepSessionNotes(tree: Tree, session: string, notes: SessionNotes): void {
  const { files } = tree;
  const isNew = tree.folder(folderPath) === undefined;
  const folder = tree.make(folderPath);
  if (isNew) replaceFileNow({ files, folder, name: ".gitignore", bytes: encodeUtf8("*\n") });
  const kept: SessionNotes = {
    compactions: notes.compactions,
    compacted: notes.compacted.slice(-compactionsKept),
    reminded: notes.reminded.slice(-remindersKept),
  };
  const bytes = encodeUtf8(`${JSON.stringify(kept, undefined, 2)}\n`);
  replaceFileNow({ files, folder, name: `${session}.json`, bytes });
  if (files.list(folder).length > sessionsKept + 10) forgetOldest(tree, folder);
}

function forgetOldest({ files }: Tree, folder: Folder): void {
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
