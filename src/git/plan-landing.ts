/**
 * What landing would do to the user's checkout: which files, from which bytes to which, or why it may not be.
 *
 * Nothing is written but objects. The bytes before are those that stand in the checkout, once git has confirmed that
 * they are what HEAD has; the bytes after are made by a checkout of git's own into a scratch folder, so that line
 * ends and filters are the user's.
 */
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { type GitCommand, linesOf } from "./git-command.ts";
import { head, isAncestor, treeOf } from "./head.ts";
import { landingFiles } from "./landing-files.ts";
import {
  busy,
  conflict,
  dirty,
  folders,
  inTheWay,
  links,
  type Refusal,
  unrelated,
} from "./landing-refusal.ts";
import { mergeCommits } from "./merge.ts";
import { obstacles } from "./obstacles.ts";
import type { Place } from "./place.ts";
import type { Commit, Head, LandingPlan, TreeId } from "./repository.ts";
import { isRegular, treeDifferences } from "./tree-changes.ts";

export interface LandingWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
}

/** About ten processes, once in a run. */
export async function planLanding(world: LandingWorld, tip: Commit): Promise<LandingPlan> {
  const { git, trees, place } = world;
  const from = await head(git);
  if (await isAncestor(git, tip, from.commit)) return { kind: "already" };
  const what = await nameOf(git, tip);
  const underWay = operations.find(([name]) => trees.look(bytePath(`${place.gitDir}/${name}`)));
  if (underWay) return busy(underWay[1]);

  const result = await resultOf(git, { from, tip, what });
  if ("refused" in result) return result.refused;
  const differences = await treeDifferences(git, await treeOf(git, from.commit), result.tree);
  const special = differences.filter(({ pre, post }) => [pre, post].some((side) => side && !isRegular(side)));
  if (special.length > 0) return links(pathsOf(special), what);

  const found = await obstacles(world, differences);
  if (found.isUnmerged) return busy("a merge with conflicts");
  if (found.dirty.length > 0) return dirty(found.dirty);
  if (found.folders.length > 0) return folders(found.folders, what);
  if (found.inTheWay.length > 0) return inTheWay(found.inTheWay);

  const files = await landingFiles(world, { tree: result.tree, differences });
  if ("dirty" in files) return dirty(files.dirty);
  return { kind: "possible", from, ...result, files };
}

/** What git leaves in its directory while something is under way, and what a person calls it. */
const operations = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisection"],
] as const;

interface Result {
  readonly how: "fast-forward" | "merge";
  readonly tree: TreeId;
  readonly parents: readonly Commit[];
}

async function resultOf(
  git: GitCommand,
  { from, tip, what }: { from: Head; tip: Commit; what: string },
): Promise<Result | { readonly refused: Refusal }> {
  if (await isAncestor(git, from.commit, tip))
    return { how: "fast-forward", tree: await treeOf(git, tip), parents: [] };
  try {
    const merged = await mergeCommits(git, from.commit, tip);
    if (merged.kind === "conflict") return { refused: conflict(merged.paths, what) };
    return { how: "merge", tree: merged.tree, parents: [from.commit, tip] };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "GIT_UNRELATED")
      return { refused: unrelated(what) };
    throw error;
  }
}

/** What a person would type to merge it. */
async function nameOf(git: GitCommand, tip: Commit): Promise<string> {
  const args = ["for-each-ref", "--format=%(refname:short)", `--points-at=${tip}`, "refs/heads/cox"];
  return linesOf((await git.user(args)).stdout)[0] ?? tip;
}

function pathsOf(differences: readonly { readonly path: string }[]): string[] {
  return differences.map(({ path }) => path);
}
