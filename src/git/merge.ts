/**
 * Three-way merge of trees, in the object store alone.
 *
 * git 2.39 merges commits, not trees with a base of our choice, so three commits are made up: one on the base and two
 * on top of it. Only the merge needs them: they go into our own store, written without git. One process; none where
 * one side did nothing or both did the same.
 */
import { deflateSync } from "node:zlib";
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import type { GitCommand } from "./git-command.ts";
import { objectId, storedForm } from "./object-id.ts";
import type { Place } from "./place.ts";
import type { Commit, Merged, TreeId } from "./repository.ts";

interface MergeWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
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
  return mergeCommits(world.git, madeUp(world, ours, root), madeUp(world, theirs, root));
}

/** Of two that have a commit in common. */
export async function mergeCommits(git: GitCommand, ours: Commit, theirs: Commit): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const { code, stdout } = await git.own(args, { answers: [1] });
  const [tree = "", ...paths] = Buffer.from(stdout).toString("utf8").split("\0");
  if (code === 0) return { kind: "clean", tree: tree as TreeId };
  return { kind: "conflict", tree: tree as TreeId, paths: [...new Set(paths.filter((path) => path !== ""))] };
}

function madeUp({ trees, place }: MergeWorld, tree: TreeId, parent?: Commit): Commit {
  const nobody = "coxswain <merge@coxswain.invalid> 0 +0000";
  const lines = [
    `tree ${tree}`,
    ...(parent ? [`parent ${parent}`] : []),
    `author ${nobody}`,
    `committer ${nobody}`,
  ];
  const object = { type: "commit" as const, bytes: Buffer.from(`${lines.join("\n")}\n\nOnly for a merge\n`) };
  const id = objectId(place, object);
  const folder = `${place.home}/objects/${id.slice(0, 2)}`;
  const path = bytePath(`${folder}/${id.slice(2)}`);
  if (!trees.look(path)) {
    trees.makeFolder(bytePath(folder));
    trees.write(path, deflateSync(storedForm(object)));
  }
  return id as Commit;
}
