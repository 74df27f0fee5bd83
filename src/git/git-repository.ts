/**
 * The repository as git keeps it. Every call starts from what is there: nothing is remembered between calls but
 * trees and commits, which never change.
 */
import type { FolderTrees } from "../world/folder-trees.ts";
import { capture } from "./capture.ts";
import { closeDesk, openDesk } from "./desks.ts";
import { collectGarbage } from "./garbage.ts";
import type { GitCommand } from "./git-command.ts";
import { head, isAncestor, treeOf } from "./head.ts";
import { land } from "./land.ts";
import { Looks, uncommittedPaths } from "./looks.ts";
import { mergeTrees } from "./merge.ts";
import type { Place } from "./place.ts";
import { planLanding } from "./plan-landing.ts";
import { advance, beginRun, pin, tip } from "./refs.ts";
import { Remembered } from "./remembered.ts";
import type { Commit, Repository, TreeChanges, TreeId } from "./repository.ts";
import { seal } from "./seal.ts";
import { treeChanges } from "./tree-changes.ts";
import { type TreeListing, TreeListings } from "./tree-listing.ts";
import type { UserSettings } from "./user-settings.ts";

export interface GitRepositoryParts {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
  readonly settings: UserSettings;
  /** A commit that was looked at already. */
  readonly known: { readonly commit: Commit; readonly tree: TreeId; readonly listing: TreeListing };
}

export function gitRepository({ known, ...parts }: GitRepositoryParts): Repository {
  const { git, place } = parts;
  const listings = new TreeListings(git, known);
  const world = { ...parts, listings, indexed: new Map<string, TreeId>() };
  const looks = new Looks(parts);
  const treesOfCommits = new Map<Commit, TreeId>([[known.commit, known.tree]]);

  const rememberedTreeOf = async (commit: Commit): Promise<TreeId> => {
    const remembered = treesOfCommits.get(commit);
    if (remembered) return remembered;
    const tree = await treeOf(git, commit);
    treesOfCommits.set(commit, tree);
    return tree;
  };

  const captures = new Remembered<TreeChanges>(rememberedMax);
  const pair = (from: TreeId, to: TreeId) => `${from} ${to}`;

  return {
    root: place.root,
    guarded: [...new Set([place.gitDir, place.commonDir, place.objects, place.home, place.desks])],

    head: () => head(git),
    treeOf: rememberedTreeOf,
    isAncestor: (one, of) => isAncestor(git, one, of),

    beginRun: (run, base) => beginRun(git, run, base),
    tip: (run) => tip(git, run),

    openDesk: async (request) =>
      openDesk(world, { ...request, baseTree: await rememberedTreeOf(request.base) }),
    capture: async (desk, from) => {
      const captured = await capture(world, desk, from);
      if (captured.tree !== from && isLight(captured))
        captures.keep(pair(from, captured.tree), Promise.resolve(captured));
      return captured;
    },
    closeDesk: (desk) => closeDesk(world, desk),
    look: (wish) => looks.look(wish),
    uncommitted: () => uncommittedPaths(git),

    contents: async (tree) => {
      const { entries } = await world.listings.of(tree);
      return new Map([...entries].map(([path, { mode, oid }]) => [path, `${mode} ${oid}`]));
    },
    changes: (from, to) => captures.find(pair(from, to)) ?? treeChanges(git, from, to),
    merge: (sides) => mergeTrees(world, sides),

    pin: (run, name, tree) => pin(git, { run, name, tree }),
    seal: async (facts) => {
      const commit = await seal(world, facts);
      treesOfCommits.set(commit, facts.tree);
      return commit;
    },
    advance: (run, move) => advance(world, run, move),

    planLanding: (tip) => planLanding({ ...world, treeOf: rememberedTreeOf }, tip),
    land: (landing) => land(world, landing),
    collectGarbage: (keep) => collectGarbage(world, keep),
  };
}

/** What was captured is asked for again soon, by whoever audits it; what is large is read again then. */
const rememberedMax = 8;
const rememberedBytesMax = 1 << 20;

function isLight({ changes }: TreeChanges): boolean {
  const sizes = changes.flatMap(({ pre, post }) => [pre?.size ?? 0, post?.size ?? 0]);
  return sizes.reduce((sum, size) => sum + size, 0) <= rememberedBytesMax;
}
