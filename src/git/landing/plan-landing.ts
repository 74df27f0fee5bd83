/**
 * What a landing would do to the user's checkout: which files change, from which bytes to which, or why it is refused.
 *
 * Only objects are written. The bytes before are those in the checkout, once git has confirmed that they match HEAD.
 * The bytes after come from a checkout by git into a scratch folder, so line endings and filters are the user's.
 */
import type { CommitId, TreeId } from "../../std/object-id.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import { type GitCommand, linesOf } from "../command/git-command.ts";
import { heldLock } from "../command/git-locks.ts";
import type { UserSettings } from "../command/user-settings.ts";
import { bypassed } from "../desk/bypassed.ts";
import { commonAncestor, head } from "../head.ts";
import { mergeCommits } from "../merge.ts";
import type { LandingPlan } from "../repository.ts";
import { isRegular, treeDifferences } from "../tree-changes.ts";
import type { TreeListings } from "../tree-listing.ts";
import { landingFiles } from "./landing-files.ts";
import {
  busy,
  conflict,
  dirty,
  folders,
  inTheWay,
  type LandingRefusal,
  links,
  locked,
  onRunsBranch,
  unrelated,
} from "./landing-refusal.ts";
import { obstacles } from "./obstacles.ts";

export interface LandingWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
  readonly listings: TreeListings;
  treeOf(commit: CommitId): Promise<TreeId>;
}

/**
 * Costs seven to ten git processes, a few more for a merge. Called twice per landing: before it is agreed to, and when
 * it is carried out.
 */
export async function planLanding(world: LandingWorld, tip: CommitId): Promise<LandingPlan> {
  const { git, trees, place } = world;
  const from = await head(git);
  if (from.branch?.startsWith("cox/")) return onRunsBranch(from.branch);
  const common = await commonAncestor(git, from.commit, tip);
  if (common === tip) return { kind: "already" };
  const underWay = operations.find(([name]) => trees.look(bytePath(`${place.gitDir}/${name}`)));
  if (underWay) return busy(underWay[1]);
  const held = await heldLock(world, from);
  if (held !== undefined) return locked(held);
  if (common === undefined) return unrelated(await nameOf(git, tip));

  const result =
    common === from.commit
      ? await forwarded(world, tip)
      : await merged(world, { common, from: from.commit, tip });
  if ("kind" in result) return result;
  const differences = await treeDifferences(git, await world.treeOf(from.commit), result.tree);
  const special = differences.filter(({ pre, post }) => [pre, post].some((side) => side && !isRegular(side)));
  if (special.length > 0) return links(pathsOf(special), await nameOf(git, tip));

  const found = await obstacles(world, differences);
  if (found.isUnmerged) return busy("a merge with conflicts");
  if (found.dirty.length > 0) return dirty(found.dirty);
  if (found.folders.length > 0) return folders(found.folders, await nameOf(git, tip));
  if (found.inTheWay.length > 0) return inTheWay(found.inTheWay);

  const files = await landingFiles(world, { tree: result.tree, differences });
  if ("dirty" in files) return dirty(files.dirty);
  return { kind: "possible", from, ...result, files, bypassed: bypassed(world) };
}

/** What git leaves in its directory during an operation, and what people call that operation. */
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
  readonly parents: readonly CommitId[];
}

async function forwarded({ treeOf }: LandingWorld, tip: CommitId): Promise<Result> {
  return { how: "fast-forward", tree: await treeOf(tip), parents: [] };
}

async function merged(
  world: LandingWorld,
  { common, from, tip }: { readonly common: CommitId; readonly from: CommitId; readonly tip: CommitId },
): Promise<Result | LandingRefusal> {
  const { treeOf } = world;
  const sides = { base: await treeOf(common), ours: await treeOf(from), theirs: await treeOf(tip) };
  const outcome = await mergeCommits(world, { ours: from, theirs: tip }, sides);
  if (outcome.kind === "conflict") return conflict(outcome.paths, await nameOf(world.git, tip));
  return { how: "merge", tree: outcome.tree, parents: [from, tip] };
}

/** The name that a person would type to merge it. */
async function nameOf(git: GitCommand, tip: CommitId): Promise<string> {
  const args = ["for-each-ref", "--format=%(refname:short)", `--points-at=${tip}`, "refs/heads/cox"];
  return linesOf((await git.user(args)).stdout)[0] ?? tip;
}

function pathsOf(differences: readonly { readonly path: string }[]): string[] {
  return differences.map(({ path }) => path);
}
