/**
 * Replaces one image with another, if and only if the expected one is there.
 *
 * - A new file gets its name by a link, which fails rather than replace anything.
 * - An existing file is replaced by a rename, in one step for every reader, right after a last check that it is still
 *   the file we read. We hold that file open; if somebody wrote to it in that instant, what they wrote is put back.
 * - A file to delete is first moved aside and checked there.
 * - A staged file is read and hashed right before it is placed, so only the promised bytes get there, whatever happened
 *   to the stage since.
 *
 * One gap remains: an editor that itself replaces or removes the file between our last check and our rename, a few
 * microseconds. Node has no call that exchanges two names.
 */
import type { Image } from "../change/change.ts";
import { assert } from "../std/assert.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { File, Folder, Stat } from "../world/files/files.ts";
import type { FolderEntry, Tree } from "../world/folders/tree.ts";
import { crossDevice, notPermitted, TreeError } from "../world/folders/tree-error.ts";
import { Conflict } from "./conflict.ts";
import { isThere, lookAtFile } from "./look.ts";
import type { StageDamaged } from "./stage-damaged.ts";
import { readStaged } from "./staged-image.ts";

export interface Exchange {
  readonly tree: Tree;
  readonly path: string;
  readonly from: Image | undefined;
  readonly to: Image | undefined;
  readonly stage: Folder;
  /** Names the files that this exchange creates in the stage. */
  readonly number: number;
  /** Where the new file is, durable, under a name that must not be used up. Undefined when it is known to be lost. */
  readonly image: () => FolderEntry | undefined;
  /** The error to throw when the new file is needed but missing or damaged. */
  readonly damaged: () => StageDamaged;
}

/** Throws `Conflict` when neither `from` nor `to` is there. */
export function exchange(given: Exchange): void {
  withReasons(given.path, () => (given.from ? supersede(given) : appear(given)));
}

/** No check beforehand: the link itself fails if anything is there, and we look only when it fails. */
function appear(given: Exchange): void {
  const { tree, stage } = given;
  atPlace(given, (place) => {
    const image = proven(given);
    const isTaken = () => tree.files.stat(place.folder, place.name) !== undefined;
    if (!image) {
      // If an earlier attempt placed the file, the image is no longer needed; if somebody else did, theirs wins.
      if (!isTaken()) throw given.damaged();
      mustBeDone(given);
      return;
    }
    try {
      tree.files.link(image.folder, image.name, place.folder, place.name);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST" && !linksUnsupported(error)) throw error;
      // Without hard links no call refuses to replace a file, so this check is all we have.
      if (isTaken()) mustBeDone(given);
      else tree.files.rename(stage, spare(given, image), place.folder, place.name);
    }
  });
}

interface ProvenImage extends FolderEntry {
  readonly bytes: Uint8Array;
}

/** Undefined when the stage does not hold the new file. */
function proven({ tree, path, to, image }: Exchange): ProvenImage | undefined {
  assert(to, `something is placed at ${path}`);
  const entry = image();
  const bytes = entry && readStaged(tree.files, entry, to);
  return bytes && { ...entry, bytes };
}

function mustBeDone({ tree, path, from, to }: Exchange): void {
  const look = lookAtFile(tree, path, [to]);
  if (look.opened) tree.files.close(look.opened.file);
  if (!isThere(look, to)) throw new Conflict(path, from, look.found);
}

function supersede(given: Exchange): void {
  const { tree, path, from, to } = given;
  const look = lookAtFile(tree, path, [to, from]);
  try {
    if (isThere(look, to)) return;
    if (!look.opened || !isThere(look, from)) throw new Conflict(path, from, look.found);
    const { opened } = look;
    atPlace(given, (place) => (to ? replace(given, opened, place) : disappear(given, opened, place)));
  } finally {
    if (look.opened) tree.files.close(look.opened.file);
  }
}

function replace(given: Exchange, opened: Opened, place: FolderEntry): void {
  const { tree, path, from, stage } = given;
  const image = proven(given);
  if (!image) throw given.damaged();
  const ready = spare(given, image);
  const now = tree.files.stat(place.folder, place.name);
  if (now?.inode !== opened.stat.inode || wasWritten(now, opened.stat))
    throw new Conflict(path, from, "another file");
  tree.files.rename(stage, ready, place.folder, place.name);
  if (!wasWritten(tree.files.statOf(opened.file), opened.stat)) return;
  putBack(given, opened, place);
  throw new Conflict(path, from, "a file being written");
}

/** Moves the file into the stage and checks there that it is the right one; until then nothing is lost. */
function disappear(given: Exchange, opened: Opened, place: FolderEntry): void {
  const { tree, path, from, stage, number } = given;
  const gone = freshName(tree, stage, `gone-${number}`);
  try {
    tree.files.rename(place.folder, place.name, stage, gone);
  } catch (error) {
    // Somebody else has just removed it, which is all we wanted.
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = tree.files.stat(stage, gone);
  if (moved?.inode === opened.stat.inode && !wasWritten(moved, opened.stat)) {
    tree.files.unlink(stage, gone);
    return;
  }
  tree.files.rename(stage, gone, place.folder, place.name);
  throw new Conflict(path, from, "another file");
}

/** A folder that is gone, or is no longer a folder, also counts as somebody's change. */
function atPlace({ tree, path, from }: Exchange, work: (place: FolderEntry) => void): void {
  let isReached = false;
  try {
    tree.withParent(path, (place) => {
      isReached = true;
      work(place);
    });
  } catch (error) {
    const isSwapped =
      error instanceof TreeError && ["PATH_SYMLINK", "PATH_NOT_DIRECTORY"].includes(error.code);
    throw isSwapped && !isReached ? new Conflict(path, from, error.code) : error;
  }
  if (!isReached) throw new Conflict(path, from, undefined);
}

interface Opened {
  readonly file: File;
  readonly stat: Stat;
}

/** A second name for the new file in the stage, for a rename to use up; a copy where there are no hard links. */
function spare({ tree, stage, number, to }: Exchange, { folder, name, bytes }: ProvenImage): string {
  const ready = `new-${number}`;
  try {
    linkAfresh(tree, { folder, name, stage, ready });
  } catch (error) {
    if (!linksUnsupported(error) || !to) throw error;
    freshName(tree, stage, ready);
    writeImage(tree, { folder: stage, name: ready, mode: to.mode, bytes });
  }
  return ready;
}

interface LinkInput extends FolderEntry {
  readonly stage: Folder;
  readonly ready: string;
}

/** The name is almost never taken, so try it before checking. */
function linkAfresh(tree: Tree, { folder, name, stage, ready }: LinkInput): void {
  try {
    tree.files.link(folder, name, stage, ready);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    tree.files.unlink(stage, ready);
    tree.files.link(folder, name, stage, ready);
  }
}

function putBack({ tree, stage, number }: Exchange, opened: Opened, place: FolderEntry): void {
  const name = freshName(tree, stage, `back-${number}`);
  const bytes = tree.files.read(opened.file, 0, tree.files.statOf(opened.file).size);
  writeImage(tree, { folder: stage, name, mode: opened.stat.mode, bytes });
  tree.files.rename(stage, name, place.folder, place.name);
}

export interface NewImage {
  readonly folder: Folder;
  readonly name: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/** The contents are durable when it returns; the name is not. */
export function writeImage(tree: Tree, { folder, name, mode, bytes }: NewImage): void {
  const file = tree.files.open(folder, name, "create");
  try {
    tree.files.write(file, bytes);
    tree.files.chmod(file, mode);
    tree.files.sync(file);
  } finally {
    tree.files.close(file);
  }
}

/** Frees a name in the stage that an earlier, killed attempt may have left taken. */
export function freshName(tree: Tree, stage: Folder, name: string): string {
  if (tree.files.stat(stage, name)) tree.files.unlink(stage, name);
  return name;
}

function wasWritten(now: Stat, then: Stat): boolean {
  return now.modified !== then.modified || now.size !== then.size || now.mode !== then.mode;
}

function withReasons(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EXDEV") throw new TreeError(crossDevice(path), { cause: error });
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new TreeError(notPermitted(path, code), { cause: error });
    throw error;
  }
}

function linksUnsupported(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "");
}
