/**
 * Desks: checkouts to work in, made from a tree, kept while they are needed, reused afterwards.
 *
 * What we know about a desk (its index, what it was opened for) is kept in our own folder; nothing at the desk is
 * trusted. A closed desk waits under `.idle` for the next one with the same purpose, because updating what differs is
 * far cheaper than a full checkout.
 */
import { assert } from "../../std/assert.ts";
import type { TreeId } from "../../std/object-id.ts";
import { type BytePath, bytePath, joinBytePath } from "../../world/files/byte-path.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import { type CheckoutPaths, deskFolder, deskState, isSafeName } from "../command/checkout-paths.ts";
import type { GitCommand } from "../command/git-command.ts";
import type { UserSettings } from "../command/user-settings.ts";
import type { Desk, DeskRequest } from "../repository.ts";
import type { TreeListings } from "../tree-listing.ts";
import { clearDesk } from "./clear-desk.ts";
import { makeDeskGit } from "./desk-git.ts";

export interface DesksWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
  readonly listings: TreeListings;
  /** The tree in a desk's index, if known; it can be, because nobody else writes there. */
  readonly indexed: Map<string, TreeId>;
}

/** Idle desks kept per purpose: as many as a small crew closes at once. */
const idleMax = 4;

/**
 * Costs no git process for a desk that is kept, otherwise one to three: fewer when the tree's listing is known, or when
 * the desk's own index should hold the same tree.
 */
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
  // At an agent's desk, `git status` and `git diff` show what is new since the base. A verify command sees git as it
  // would be after the commit: which files there are, and whether it has changed any itself.
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

/** Costs no git process. */
export async function closeDesk(
  { trees, place }: DesksWorld,
  { run, name }: Pick<Desk, "run" | "name">,
): Promise<void> {
  const folder = bytePath(deskFolder(place, run, name));
  const state = bytePath(deskState(place, run, name));
  await trees.remove(joinBytePath(state, "opened"));
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
    const to = joinBytePath(above, `${run}@${name}`);
    await trees.remove(to);
    trees.makeFolder(above);
    // Somebody who removes all idle desks may have just removed the folder again; then this desk is not kept.
    if (!taken(trees, from, to)) await trees.remove(from);
  }
}

/** A run's desks have one writer, so an existing lock was left by a git that was killed. */
export async function forgetLock(trees: FolderTrees, index: string): Promise<void> {
  await trees.remove(bytePath(`${index}.lock`));
}

interface Wanted {
  readonly folder: string;
  readonly state: string;
  readonly purpose: string;
}

/** Takes an idle desk by one rename: if two want the same one, the second finds it gone and tries the next. */
async function takeOrMake({ trees, place }: DesksWorld, { folder, state, purpose }: Wanted): Promise<void> {
  await trees.remove(bytePath(folder));
  await trees.remove(bytePath(state));
  for (const path of [folder, state]) trees.makeFolder(bytePath(path.slice(0, path.lastIndexOf("/"))));
  for (const name of namesIn(trees, bytePath(`${place.desks}/.idle/${purpose}`))) {
    const idle = `.idle/${purpose}/${name}`;
    if (!taken(trees, bytePath(`${place.desks}/${idle}`), bytePath(folder))) continue;
    if (taken(trees, bytePath(`${place.home}/desks/${idle}`), bytePath(state))) return;
    await trees.remove(bytePath(folder));
  }
  trees.makeFolder(bytePath(folder));
  trees.makeFolder(bytePath(state));
  trees.write(bytePath(`${state}/purpose`), purpose);
}

function taken(trees: FolderTrees, from: BytePath, to: BytePath): boolean {
  try {
    trees.rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

function purposeOf(trees: FolderTrees, state: BytePath): string {
  const path = joinBytePath(state, "purpose");
  return trees.look(path) ? Buffer.from(trees.read(path)).toString("utf8") : "work";
}

function has(trees: FolderTrees, path: string): boolean {
  return trees.look(bytePath(path)) !== undefined;
}

/** We chose these names, so they are plain ASCII. */
function namesIn(trees: FolderTrees, path: BytePath): BytePath[] {
  return trees.look(path)?.kind === "folder" ? trees.list(path).map(({ name }) => name) : [];
}
