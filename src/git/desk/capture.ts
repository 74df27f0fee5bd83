/**
 * Captures what is at a desk as a tree. It uses our own git directory and index, so nothing in the desk's `.git`
 * matters, not even whether it exists.
 *
 * The index remembers each file's size, times and inode. Git reads a file again if any of them differs, or if the file
 * was written in the same instant as the index. Where a file is unfit, the tree keeps what `from` has there.
 */
import { type TreeId, treeId } from "../../std/object-id.ts";
import { type BytePath, bytePath, rawBytePath } from "../../world/files/byte-path.ts";
import { deskFolder, deskState } from "../command/checkout-paths.ts";
import type { Captured, Desk } from "../repository.ts";
import { bytesFrom, changesOf, treeDifferences } from "../tree-changes.ts";
import { type DesksWorld, forgetLock } from "./desks.ts";
import { meddling } from "./meddling.ts";
import { type Survey, survey } from "./survey.ts";
import { refusedByGit, type UnfitFile } from "./unfit.ts";

const listedMax = 200;

/** Costs one git process when nothing changed, four for a few changed files, up to nine in the worst case. */
export async function capture(world: DesksWorld, desk: Desk, from: TreeId): Promise<Captured> {
  const { git, trees, place, listings, indexed } = world;
  const folder = deskFolder(place, desk.run, desk.name);
  if (trees.look(bytePath(folder))?.kind !== "folder") throw gone(folder);
  const state = deskState(place, desk.run, desk.name);
  const index = `${state}/index`;
  const meddled = meddling(trees, folder, `${state}/made`);
  const at = { index, workTree: folder };

  const listing = await listings.of(from);
  const namesBefore = (folder: string) => listing.names(folder);
  const found = await survey(world, folder, listing);
  if (found.isBlocked) return captured({ ...nothing, tree: from, namesBefore, meddled }, found, []);

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
  // Git replaces the index file when an entry has changed, and leaves it alone otherwise.
  const tree = trees.mark(bytePath(index)) === asRead ? from : await writtenTree();
  indexed.set(index, tree);
  const differences = await treeDifferences(git, from, tree);
  await listings.derive(tree, { from, differences });
  return captured({ ...(await changesOf(git, differences)), tree, namesBefore, meddled }, found, [
    ...withheld,
    ...refusals(stderr),
  ]);

  async function writtenTree(): Promise<TreeId> {
    const { stdout } = await git.own(["write-tree"], at);
    return treeId(Buffer.from(stdout).toString("utf8").trim());
  }

  /** The files that were changed although they may not be: they still differ from the index. */
  async function changedOf(files: ReadonlyMap<BytePath, UnfitFile>): Promise<UnfitFile[]> {
    if ((await differingOf(files)).length === 0) return [];
    // A file that was rewritten with the same content differs only in its times, until the index is refreshed.
    await git.own(["update-index", "-q", "--refresh"], { ...at, answers: [1] });
    return differingOf(files);
  }

  async function differingOf(files: ReadonlyMap<BytePath, UnfitFile>): Promise<UnfitFile[]> {
    const { stdout } = await git.own(["diff-files", "-z", "--name-only", "--ignore-submodules=all"], at);
    const changed = Buffer.from(stdout).toString("latin1").split("\0");
    return changed.flatMap((path) => files.get(rawBytePath(path)) ?? []);
  }
}

const nothing = { changes: [], links: [], bytes: bytesFrom(new Map()) };

function captured(
  tree: Omit<Captured, "ignored" | "unfit">,
  found: Survey,
  more: readonly UnfitFile[],
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

/** Git skips names that would be `.git` on another system, and prints a line for each. */
function refusals(stderr: string): UnfitFile[] {
  return [...stderr.matchAll(/^Ignoring path (.*)$/gm)].map(([, path = ""]) => refusedByGit(bytePath(path)));
}

function gone(folder: string): Error {
  return Object.assign(new Error(`the desk ${folder} no longer exists`), { code: "DESK_GONE" });
}
