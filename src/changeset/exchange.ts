/**
 * Puts one image in the place of another, if and only if the other is what is there.
 *
 * A new file gets its name by a link, which fails rather than replace anything. An existing one is replaced by a
 * rename, in one step for every reader, right after a last look that it is still the file we read; we hold that
 * file open, and if somebody wrote into it in that instant, what they wrote is put back. A file that goes is moved
 * aside and looked at there first. What remains is an editor that itself replaces or removes the file between our
 * last look and our rename, a few microseconds: Node has no call that would exchange two names.
 */
import type { Image } from "../change/change.ts";
import { errnoOf } from "../world/errno.ts";
import type { File, Folder, Stat } from "../world/files.ts";
import { crossDevice, notPermitted, type Tree, TreeError } from "../world/tree.ts";
import { Conflict } from "./conflict.ts";
import { isThere, lookAt } from "./look.ts";

export interface Exchange {
  readonly tree: Tree;
  readonly path: string;
  readonly from: Image | undefined;
  readonly to: Image | undefined;
  readonly stage: Folder;
  /** Names what this exchange makes in the stage. */
  readonly number: number;
  /** Where the new file stands, durable, under a name that must not be used up. */
  readonly image: () => { readonly folder: Folder; readonly name: string };
}

/** Throws `Conflict` when neither `from` nor `to` is there. */
export function exchange(given: Exchange): void {
  withReasons(given.path, () => (given.from ? supersede(given) : appear(given)));
}

/** No look beforehand: a link refuses by itself when anything is there, and only what it refuses is looked at. */
function appear(given: Exchange): void {
  const { tree, stage } = given;
  const place = placeOf(given);
  const image = given.image();
  try {
    tree.files.link(image.folder, image.name, place.folder, place.name);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST" && !linksUnsupported(error)) throw error;
    // Without hard links there is no call that refuses to replace: this look is all there is.
    const isTaken = tree.files.stat(place.folder, place.name) !== undefined;
    if (isTaken) mustBeDone(given);
    else tree.files.rename(stage, spare(given), place.folder, place.name);
  }
}

function mustBeDone({ tree, path, from, to }: Exchange): void {
  const look = lookAt(tree, path, [to]);
  if (look.opened) tree.files.close(look.opened.file);
  if (!isThere(look, to)) throw new Conflict(path, from, look.found);
}

function supersede(given: Exchange): void {
  const { tree, path, from, to } = given;
  const look = lookAt(tree, path, [to, from]);
  try {
    if (isThere(look, to)) return;
    if (!look.opened || !isThere(look, from)) throw new Conflict(path, from, look.found);
    if (to) replace(given, look.opened);
    else disappear(given, look.opened);
  } finally {
    if (look.opened) tree.files.close(look.opened.file);
  }
}

function replace(given: Exchange, opened: Opened): void {
  const { tree, path, from, stage } = given;
  const place = placeOf(given);
  const ready = spare(given);
  const now = tree.files.stat(place.folder, place.name);
  if (now?.inode !== opened.stat.inode || wasWritten(now, opened.stat))
    throw new Conflict(path, from, "another file");
  tree.files.rename(stage, ready, place.folder, place.name);
  if (!wasWritten(tree.files.statOf(opened.file), opened.stat)) return;
  putBack(given, opened, place);
  throw new Conflict(path, from, "a file being written");
}

/** Moves the file into the stage and looks there whether it was the right one: until then nothing is lost. */
function disappear(given: Exchange, opened: Opened): void {
  const { tree, path, from, stage, number } = given;
  const place = placeOf(given);
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

/** A folder that is gone, or is no folder any more, is somebody's change too. */
function placeOf({ tree, path, from }: Exchange): { folder: Folder; name: string } {
  try {
    const place = tree.parent(path);
    if (place) return place;
  } catch (error) {
    const isSwapped =
      error instanceof TreeError && ["PATH_SYMLINK", "PATH_NOT_DIRECTORY"].includes(error.code);
    throw isSwapped ? new Conflict(path, from, error.code) : error;
  }
  throw new Conflict(path, from, undefined);
}

interface Opened {
  readonly file: File;
  readonly stat: Stat;
}

/** A second name for the new file in the stage, to be used up by a rename; a copy where there are no links. */
function spare({ tree, stage, number, to, image }: Exchange): string {
  const ready = `new-${number}`;
  const { folder, name } = image();
  try {
    linkAfresh(tree, { folder, name, stage, ready });
  } catch (error) {
    if (!linksUnsupported(error) || !to) throw error;
    freshName(tree, stage, ready);
    const file = tree.files.open(folder, name, "read");
    try {
      writeImage(tree, {
        folder: stage,
        name: ready,
        mode: to.mode,
        bytes: tree.files.read(file, 0, to.size),
      });
    } finally {
      tree.files.close(file);
    }
  }
  return ready;
}

interface Linking {
  readonly folder: Folder;
  readonly name: string;
  readonly stage: Folder;
  readonly ready: string;
}

/** The name is almost never taken, so it is tried before it is looked at. */
function linkAfresh(tree: Tree, { folder, name, stage, ready }: Linking): void {
  try {
    tree.files.link(folder, name, stage, ready);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    tree.files.unlink(stage, ready);
    tree.files.link(folder, name, stage, ready);
  }
}

function putBack(
  { tree, stage, number }: Exchange,
  opened: Opened,
  place: { folder: Folder; name: string },
): void {
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

/** Durable when it returns, but for its name. */
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

/** A name in the stage that an earlier, killed attempt may have left taken. */
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
