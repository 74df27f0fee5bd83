/**
 * Undoes a change to the documents completely, as a change of its own. Undoing that one applies the original again.
 *
 * Works only if every document is still as the change left it, so nothing later is lost.
 */

import type { Author, DocumentEdit, Library } from "../document/store.ts";
import { assert } from "../std/assert.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { FileStore } from "./file-store.ts";
import type { FileRecord, PastChange } from "./record.ts";

export interface UndoChangeRequest {
  readonly author: Author;
  /** The command, for the log. */
  readonly tool: string;
  /** The number of the change; by default the latest one not yet undone. */
  readonly number?: number;
}

export type UndoneChange =
  | { readonly undone: PastChange /** The number of the change that did it. */; readonly by: number }
  | { readonly problem: Problem };

export async function undoChange(
  store: FileStore,
  { author, tool, number }: UndoChangeRequest,
): Promise<UndoneChange> {
  const first = chosenOf(store.past(), number);
  // This check needs no lock and creates nothing on disk.
  if ("problem" in first) return first;
  const answer = await store.change<Chosen>(author, (now) => {
    // Read the log again: somebody may have undone the change while we waited for the lock.
    const past = store.past();
    const chosen = chosenOf(past, number);
    if ("problem" in chosen) return { answer: chosen };
    const { change } = chosen;
    const edits: DocumentEdit[] = [];
    for (const file of change.files) {
      const back = backOf(now, file);
      if (back === "changed") return { answer: { problem: changedSince(past, change, file) } };
      if (back === "not kept") return { answer: { problem: notKept(change) } };
      edits.push(back);
    }
    const about = `undid change ${change.number}: ${oneLine(change.about, 160)}`;
    return { answer: chosen, edits, done: { tool, about, undoes: change.number } };
  });
  if ("problem" in answer) return answer;
  const { change } = answer;
  const by = store.history().findLast(({ undoes }) => undoes === change.number);
  assert(by, `that change ${change.number} was taken back is recorded`);
  return { undone: change, by: by.number };
}

type Chosen = { readonly change: PastChange } | { readonly problem: Problem };

function chosenOf(past: readonly PastChange[], number: number | undefined): Chosen {
  const undoneBy = new Map<number, number>();
  let latest: PastChange | undefined;
  for (const change of past.toReversed()) {
    const { undoes } = change;
    if (undoneBy.has(change.number)) continue;
    if (undoes !== undefined) undoneBy.set(undoes, change.number);
    else if (change.files.length > 0) latest ??= change;
  }
  if (number === undefined) return latest ? { change: latest } : { problem: nothing };
  const change = past.find((one) => one.number === number);
  if (!change) return { problem: unknownChange(past, number) };
  const by = undoneBy.get(number);
  return by === undefined ? { change } : { problem: already(number, by) };
}

function backOf(
  now: Library,
  { path, before, after, undo }: FileRecord,
): DocumentEdit | "changed" | "not kept" {
  const { document, problem } = now.read(path);
  if (problem || (document?.hash ?? null) !== after) return "changed";
  if (before === null) return { do: "remove", path };
  if (!undo) return "not kept";
  if ("text" in undo) return { do: "create", path, text: undo.text };
  return { do: "splice", path, splices: undo.splices };
}

const nothing: Problem = {
  code: "UNDO_NOTHING",
  message: "every change of the documents is undone already",
  hint: "See all changes with their numbers: cox log --documents",
};

export function unknownChange(past: readonly PastChange[], number: number): Problem {
  const last = past.at(-1);
  return {
    code: "CHANGE_UNKNOWN",
    message: `there is no change ${number} of the documents${last ? `; the last one is ${last.number}` : ""}`,
    hint: "See all changes with their numbers: cox log --documents",
  };
}

function already(number: number, by: number): Problem {
  return {
    code: "UNDO_ALREADY",
    message: `change ${number} was already undone, by change ${by}`,
    hint: `To redo it, undo that one: cox undo --documents ${by}`,
  };
}

function changedSince(past: readonly PastChange[], { number }: PastChange, { path }: FileRecord): Problem {
  const since = past.filter((one) => one.number > number && one.files.some((file) => file.path === path));
  const named = since
    .slice(-3)
    .map((one) => `${one.number} (${oneLine(one.by.name, 40)}, ${oneLine(one.tool, 40)})`);
  const whom = named.length > 0 ? `by change ${named.join(", ")}` : "by somebody with an editor";
  const see = `See what it took out and put in: cox log --documents ${number}`;
  const last = since.at(-1);
  return {
    code: "UNDO_CHANGED_SINCE",
    path,
    message: `${quote(path, 200)} is not as change ${number} left it: it was changed since, ${whom}; nothing was undone`,
    hint: last ? `Undo the later ones first, newest first: cox undo --documents ${last.number}. ${see}` : see,
  };
}

function notKept({ number }: PastChange): Problem {
  return {
    code: "UNDO_NOT_KEPT",
    message: `change ${number} was recorded by an older version, which did not keep what it replaced`,
    hint: "If the documents are in git, it has them as they were committed: git log -p -- .coxswain",
  };
}
