/**
 * Finishes the last change in the log, whose writer may have been killed halfway.
 *
 * Only the last change can be unfinished: nobody records a change before the previous one is durable. Documents that
 * are still in their old state get the recorded content. A document that matches neither the old nor the new state was
 * edited by somebody since, and is left alone. If none of the change was applied yet and somebody has edited a
 * document, the whole change is withdrawn.
 */
import { fileBytesMax } from "../change/limits.ts";
import type { LogRecord } from "../durable/scan.ts";
import { applySplices } from "../plan/edit/splice.ts";
import { assert } from "../std/assert.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/files/hash.ts";
import { newFileMode } from "../world/files/new-file-mode.ts";
import type { Tree } from "../world/folders/tree.ts";
import { TreeError } from "../world/folders/tree-error.ts";
import { changeIn, type FileRecord, withdrawalEntry } from "./record.ts";
import { filePath } from "./shelf.ts";
import { type Placement, Staging } from "./staging.ts";
import type { WriteSession } from "./write-session.ts";

/** `news` are the last records of the log, those that may not have been applied yet. */
export async function finishLast(turn: WriteSession, news: readonly LogRecord[]): Promise<void> {
  const { log, head } = turn;
  const last = news.at(-1);
  const change = last && changeIn(last);
  if (last && change) {
    const snapshots = change.files.map((file) => lookAt(turn.tree, file));
    const isUntouched = snapshots.every(({ is }) => is !== "after");
    if (isUntouched && snapshots.some(({ is }) => is === "foreign"))
      log.append([withdrawalEntry(last.seq)], { at: turn.now() });
    else await finish(turn, snapshots);
  }
  head.move(log.place);
}

async function finish(turn: WriteSession, snapshots: readonly Look[]): Promise<void> {
  const { tree, folders } = turn;
  const missing = snapshots.filter(({ is }) => is === "before").map(placementOf);
  const staging = Staging.write(turn, missing, () => turn.newName());
  try {
    await tree.files.syncAll(staging.handles);
    staging.makeFolders();
    staging.putInPlace();
    await folders.sync(snapshots.map(({ file }) => file.path));
  } finally {
    staging.discard();
  }
}

interface Look {
  readonly file: FileRecord;
  readonly is: "before" | "after" | "foreign";
  readonly bytes?: Uint8Array;
  readonly mode?: number;
}

function lookAt(tree: Tree, file: FileRecord): Look {
  try {
    const found = tree.read(filePath(file.path), fileBytesMax);
    const hash = found ? sha256(found.bytes) : null;
    const is = hash === file.after ? "after" : hash === file.before ? "before" : "foreign";
    return { file, is, ...(found && { bytes: found.bytes, mode: found.stat.mode }) };
  } catch (error) {
    if (error instanceof TreeError) return { file, is: "foreign" };
    throw error;
  }
}

function placementOf({ file, bytes = new Uint8Array(), mode = newFileMode() }: Look): Placement {
  const { path, before, after, redo } = file;
  const isNew = before === null;
  if (after === null || !redo) return { path, isNew, mode };
  const text = "text" in redo ? redo.text : applySplices(decodeUtf8(bytes), redo.splices);
  const made = encodeUtf8(text);
  assert(sha256(made) === after, `what was recorded for ${path} makes what was promised`);
  return { path, isNew, mode, encoded: [made] };
}
