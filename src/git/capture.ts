/**
 * What stands at a desk, as a tree: with our own git directory and an index of our own, so that nothing in the desk's
 * `.git` matters, not even whether it is there.
 *
 * The index remembers each file's size, times and inode, and git reads again whatever differs in any of them or was
 * written in the same instant as the index. Where something is unfit, the tree keeps what `from` has there.
 */
import { type BytePath, bytePath } from "../world/byte-path.ts";
import { type DesksWorld, forgetLock } from "./desks.ts";
import { meddling } from "./meddling.ts";
import { deskFolder, deskState } from "./place.ts";
import type { Captured, Desk, TreeId } from "./repository.ts";
import { type Survey, survey } from "./survey.ts";
import { bytesFrom, changesOf, treeDifferences } from "./tree-changes.ts";
import { refusedByGit, type Unfit } from "./unfit.ts";

const listedMax = 200;

/** One process when nothing was changed, four for a few changed files, up to nine when everything happened. */
export async function capture(world: DesksWorld, desk: Desk, from: TreeId): Promise<Captured> {
  const { git, trees, place, listings, indexed } = world;
  const folder = deskFolder(place, desk.run, desk.name);
  if (trees.look(bytePath(folder))?.kind !== "folder") throw gone(folder);
  const state = deskState(place, desk.run, desk.name);
  const index = `${state}/index`;
  const meddled = meddling(trees, folder, `${state}/made`);
  const at = { index, workTree: folder };

  const found = await survey(world, folder, await listings.of(from));
  if (found.isBlocked) return captured({ ...nothing, tree: from, meddled }, found, []);

  await forgetLock(trees, index);
  if (indexed.get(index) !== from) await git.own(["read-tree", "-i", "-m", from], at);
  indexed.delete(index);
  const asRead = trees.mark(bytePath(index));
  if (found.missing.length > 0) {
    await git.own(["update-index", "-z", "--force-remove", "--stdin"], {
      ...at,
      input: listed(found.missing),
    });
  }
  const input = listed(found.present);
  const { stderr } = await git.own(["update-index", "-z", "--add", "--replace", "--stdin"], { ...at, input });
  const withheld = found.withheld.size > 0 ? await changedOf(found.withheld) : [];
  // git replaces the file when an entry has changed, and leaves it when none has.
  const tree = trees.mark(bytePath(index)) === asRead ? from : await writtenTree();
  indexed.set(index, tree);
  const differences = await treeDifferences(git, from, tree);
  await listings.derive(tree, { from, differences });
  return captured({ ...(await changesOf(git, differences)), tree, meddled }, found, [
    ...withheld,
    ...refusals(stderr),
  ]);

  async function writtenTree(): Promise<TreeId> {
    const { stdout } = await git.own(["write-tree"], at);
    return Buffer.from(stdout).toString("utf8").trim() as TreeId;
  }

  /** Those files that were changed though they may not be: they still differ from the index. */
  async function changedOf(files: ReadonlyMap<BytePath, Unfit>): Promise<Unfit[]> {
    if ((await differingOf(files)).length === 0) return [];
    // One that was written again as it was differs in its times alone, until the index has seen it.
    await git.own(["update-index", "-q", "--refresh"], { ...at, answers: [1] });
    return differingOf(files);
  }

  async function differingOf(files: ReadonlyMap<BytePath, Unfit>): Promise<Unfit[]> {
    const { stdout } = await git.own(["diff-files", "-z", "--name-only", "--ignore-submodules=all"], at);
    const changed = Buffer.from(stdout).toString("latin1").split("\0");
    return changed.flatMap((path) => files.get(path as BytePath) ?? []);
  }
}

const nothing = { changes: [], links: [], bytes: bytesFrom(new Map()) };

function captured(
  tree: Omit<Captured, "ignored" | "unfit">,
  found: Survey,
  more: readonly Unfit[],
): Captured {
  return {
    ...tree,
    ignored: found.ignored.slice(0, listedMax).map((path) => Buffer.from(path, "latin1").toString("utf8")),
    unfit: [...found.unfit, ...more].slice(0, listedMax),
  };
}

function listed(paths: readonly BytePath[]): Uint8Array {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** Names that would be `.git` on another system are left out by git, with a line about each. */
function refusals(stderr: string): Unfit[] {
  return [...stderr.matchAll(/^Ignoring path (.*)$/gm)].map(([, path = ""]) => refusedByGit(bytePath(path)));
}

function gone(folder: string): Error {
  return Object.assign(new Error(`the desk ${folder} is not there any more`), { code: "DESK_GONE" });
}
