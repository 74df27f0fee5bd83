/**
 * Three-way merge of trees, in the object store alone.
 *
 * git 2.39 merges commits, not trees with a base of our choice, so we make up three commits: one for the base and two
 * on top of it. Only the merge needs them, so they go into our own store, written without git. It costs one process,
 * plus one for each tree that was not listed recently; none if one side changed nothing or both changed the same.
 */
import { deflateSync } from "node:zlib";
import { assert } from "../std/assert.ts";
import { type CommitId, commitId, type TreeId, treeId } from "../std/object-id.ts";
import { bytePath, textOfBytePath } from "../world/files/byte-path.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "./command/checkout-paths.ts";
import type { GitCommand } from "./command/git-command.ts";
import { hashObject, storedForm } from "./hash-object.ts";
import { mergedTwins } from "./merged-twins.ts";
import type { Merged } from "./repository.ts";
import type { TreeListing, TreeListings } from "./tree-listing.ts";

interface MergeWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly listings: TreeListings;
}

export interface Sides {
  readonly base: TreeId;
  readonly ours: TreeId;
  readonly theirs: TreeId;
}

export async function mergeTrees(world: MergeWorld, { base, ours, theirs }: Sides): Promise<Merged> {
  if (theirs === base || ours === theirs) return { kind: "clean", tree: ours };
  if (ours === base) return { kind: "clean", tree: theirs };
  const root = madeUp(world, base);
  const commits = { ours: madeUp(world, ours, root), theirs: madeUp(world, theirs, root) };
  return mergeCommits(world, commits, { base, ours, theirs });
}

/** Merges two commits with a common ancestor; `sides` are the trees of all three. */
export async function mergeCommits(
  { git, listings }: Pick<MergeWorld, "git" | "listings">,
  { ours, theirs }: { readonly ours: CommitId; readonly theirs: CommitId },
  sides: Sides,
): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { code, stdout } = await git.own(args, { answers: [1] });
  const [tree = "", ...paths] = Buffer.from(stdout).toString("utf8").split("\0");
  const named = paths.filter((path) => path !== "");
  const all = new Set([...(code === 0 ? [] : named), ...(await twinsOf(listings, sides))]);
  if (all.size === 0) return { kind: "clean", tree: treeId(tree) };
  return { kind: "conflict", tree: treeId(tree), paths: [...all] };
}

async function twinsOf(listings: TreeListings, { base, ours, theirs }: Sides): Promise<string[]> {
  const [before, our, their] = await Promise.all([base, ours, theirs].map((tree) => listings.of(tree)));
  assert(before && our && their, "each side is listed");
  const made = [...their.entries.keys()].filter((path) => !before.entries.has(path));
  if (made.length === 0) return [];
  return mergedTwins({
    base: textPaths(before),
    theirs: textPaths(their),
    ours: (folder) => our.names(folder),
  });
}

/** A path that is not text has no twin. */
function textPaths({ entries }: TreeListing): ReadonlySet<string> {
  return new Set([...entries.keys()].flatMap((path) => textOfBytePath(path) ?? []));
}

function madeUp({ trees, place }: MergeWorld, tree: TreeId, parent?: CommitId): CommitId {
  const nobody = "coxswain <merge@coxswain.invalid> 0 +0000";
  const lines = [
    `tree ${tree}`,
    ...(parent ? [`parent ${parent}`] : []),
    `author ${nobody}`,
    `committer ${nobody}`,
  ];
  const object = { type: "commit" as const, bytes: Buffer.from(`${lines.join("\n")}\n\nOnly for a merge\n`) };
  const id = hashObject(place, object);
  const folder = `${place.home}/objects/${id.slice(0, 2)}`;
  const path = bytePath(`${folder}/${id.slice(2)}`);
  if (!trees.look(path)) {
    trees.makeFolder(bytePath(folder));
    trees.write(path, deflateSync(storedForm(object)));
  }
  return commitId(id);
}
