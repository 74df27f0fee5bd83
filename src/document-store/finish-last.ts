/**
 * Finishes the last change of the log, whose writer may have been killed in the midst of it.
 *
 * Only the last one can be unfinished: nobody records a change before the one before it is durable. Documents that still
 * are as they were before it get what was recorded; one that is neither as before nor as after it was edited by somebody
 * since, and is left. Where nothing of the change was done yet and somebody has edited, all of it is withdrawn.
 */
import { fileBytesMax } from "../change/limits.ts";
import type { LogRecord } from "../durable/scan.ts";
import { applySplices } from "../plan/splice.ts";
import { assert } from "../std/assert.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import { newFileMode } from "../world/new-file-mode.ts";
import { type Tree, TreeError } from "../world/tree.ts";
import { changeIn, type FileRecord, withdrawalEntry } from "./record.ts";
import { filePath } from "./shelf.ts";
import { type Placement, Staging } from "./staging.ts";
import type { Turn } from "./turn.ts";

/** `news` are the last records of the log, as far as they may not be carried out. */
export async function finishLast(turn: Turn, news: readonly LogRecord[]): Promise<void> {
  const { log, head } = turn;
  const last = news.at(-1);
  const change = last && changeIn(last);
  if (last && change) {
    const looks = change.files.map((file) => lookAt(turn.tree, file));
    const isUntouched = looks.every(({ is }) => is !== "after");
    if (isUntouched && looks.some(({ is }) => is === "foreign"))
      log.append([withdrawalEntry(last.seq)], { at: turn.now() });
    else await finish(turn, looks);
  }
  head.move(log.place);
}

async function finish(turn: Turn, looks: readonly Look[]): Promise<void> {
  const { tree, folders } = turn;
  const missing = looks.filter(({ is }) => is === "before").map(placementOf);
  const staging = Staging.write(turn, missing, () => turn.newName());
  try {
    await tree.files.syncAll(staging.handles);
    staging.makeFolders();
    staging.putInPlace();
    await folders.sync(looks.map(({ file }) => file.path));
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
