/**
 * Desks: checkouts that somebody works in, made from a tree, kept while they are wanted, used again afterwards.
 *
 * What we know of a desk (its index, for what it was opened) is kept in our own folder; nothing at the desk is
 * believed. A desk that is given back waits under `.idle` for the next one with the same purpose: to change what
 * differs is far cheaper than to check everything out.
 */
import { assert } from "../std/assert.ts";
import { type BytePath, bytePath } from "../world/byte-path.ts";
import { errnoOf } from "../world/errno.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { clearDesk } from "./clear-desk.ts";
import { makeDeskGit } from "./desk-git.ts";
import type { GitCommand } from "./git-command.ts";
import { deskFolder, deskState, isSafeName, type Place } from "./place.ts";
import type { Desk, DeskRequest, TreeId } from "./repository.ts";
import type { TreeListings } from "./tree-listing.ts";
import type { UserSettings } from "./user-settings.ts";

export interface DesksWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
  readonly settings: UserSettings;
  readonly listings: TreeListings;
  /** What the index of a desk holds, where we know it because nobody else writes there. */
  readonly indexed: Map<string, TreeId>;
}

/** Of each purpose, as many as a small crew gives back at once. */
const idleMax = 4;

/** No process for a desk that is kept; else one to three: fewer when the tree is known, or is what git shall see there. */
export async function openDesk(
  world: DesksWorld,
  request: DeskRequest & { readonly baseTree: TreeId },
): Promise<Desk> {
  const { trees, place } = world;
  const { run, name, base, baseTree, tree, purpose = "work" } = request;
  assert(isSafeName(run) && isSafeName(name), `${run} and ${name} are safe names`);
  const folder = deskFolder(place, run, name);
  const state = deskState(place, run, name);
  const desk = { run, name, folder };
  const index = `${state}/index`;
  // At an agent's desk `git status` and `git diff` tell what is new since the base. A verify command asks git as it would
  // after the commit: which files there are, and whether it has changed any itself.
  const staged = purpose === "verify" ? tree : baseTree;
  const isThere = trees.look(bytePath(folder))?.kind === "folder" && has(trees, index);

  if (request.keep && isThere && has(trees, `${state}/opened`)) {
    if (!has(trees, `${folder}/.git`))
      await makeDeskGit(world, { folder, index, made: `${state}/made`, base, staged });
    return { ...desk, isKept: true };
  }

  await trees.remove(bytePath(`${state}/opened`));
  world.indexed.delete(index);
  if (!isThere || purposeOf(trees, bytePath(state)) !== purpose)
    await takeOrMake(world, { folder, state, purpose });
  await forgetLock(trees, index);
  await clearDesk(trees, bytePath(folder), await world.listings.of(tree));
  await world.git.own(["read-tree", "--reset", "-u", tree], { index, workTree: folder });
  await makeDeskGit(world, { folder, index, made: `${state}/made`, base, staged, tree });
  world.indexed.set(index, tree);
  trees.write(bytePath(`${state}/opened`), `${tree}\n`);
  return { ...desk, isKept: false };
}

/** No process. */
export async function closeDesk(
  { trees, place }: DesksWorld,
  { run, name }: Pick<Desk, "run" | "name">,
): Promise<void> {
  const folder = bytePath(deskFolder(place, run, name));
  const state = bytePath(deskState(place, run, name));
  await trees.remove(`${state}/opened` as BytePath);
  const purpose = purposeOf(trees, state);
  const idle = bytePath(`${place.desks}/.idle/${purpose}`);
  if (trees.look(folder)?.kind !== "folder" || namesIn(trees, idle).length >= idleMax) {
    await trees.remove(folder);
    await trees.remove(state);
    return;
  }
  const idleState = bytePath(`${place.home}/desks/.idle/${purpose}`);
  for (const [from, above] of [
    [state, idleState],
    [folder, idle],
  ] as const) {
    trees.makeFolder(above);
    const to = `${above}/${run}@${name}` as BytePath;
    await trees.remove(to);
    trees.rename(from, to);
  }
}

/** One writer works with a run's desks, so a lock that is there was left by a git that was killed. */
export async function forgetLock(trees: FolderTrees, index: string): Promise<void> {
  await trees.remove(bytePath(`${index}.lock`));
}

interface Wanted {
  readonly folder: string;
  readonly state: string;
  readonly purpose: string;
}

/** An idle desk by one rename: when two want the same, one finds it gone and tries the next. */
async function takeOrMake({ trees, place }: DesksWorld, { folder, state, purpose }: Wanted): Promise<void> {
  await trees.remove(bytePath(folder));
  await trees.remove(bytePath(state));
  for (const path of [folder, state]) trees.makeFolder(bytePath(path.slice(0, path.lastIndexOf("/"))));
  for (const name of namesIn(trees, bytePath(`${place.desks}/.idle/${purpose}`))) {
    if (!taken(trees, `${place.desks}/.idle/${purpose}/${name}`, folder)) continue;
    if (taken(trees, `${place.home}/desks/.idle/${purpose}/${name}`, state)) return;
    await trees.remove(bytePath(folder));
  }
  trees.makeFolder(bytePath(folder));
  trees.makeFolder(bytePath(state));
  trees.write(bytePath(`${state}/purpose`), purpose);
}

function taken(trees: FolderTrees, from: string, to: string): boolean {
  try {
    trees.rename(bytePath(from), bytePath(to));
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

function purposeOf(trees: FolderTrees, state: BytePath): string {
  const path = `${state}/purpose` as BytePath;
  return trees.look(path) ? Buffer.from(trees.read(path)).toString("utf8") : "work";
}

function has(trees: FolderTrees, path: string): boolean {
  return trees.look(bytePath(path)) !== undefined;
}

/** Names that we gave: plain ASCII. */
function namesIn(trees: FolderTrees, path: BytePath): BytePath[] {
  return trees.look(path)?.kind === "folder" ? trees.list(path).map(({ name }) => name) : [];
}
