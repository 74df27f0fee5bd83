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
import { Looks } from "./looks.ts";
import { mergeTrees } from "./merge.ts";
import type { Place } from "./place.ts";
import { planLanding } from "./plan-landing.ts";
import { advance, beginRun, pin, tip } from "./refs.ts";
import type { Commit, Repository, TreeId } from "./repository.ts";
import { seal } from "./seal.ts";
import { treeChanges } from "./tree-changes.ts";
import { TreeListings } from "./tree-listing.ts";
import type { UserSettings } from "./user-settings.ts";

export interface GitRepositoryParts {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
  readonly settings: UserSettings;
}

export function gitRepository(parts: GitRepositoryParts): Repository {
  const { git, place } = parts;
  const world = { ...parts, listings: new TreeListings(git), indexed: new Map<string, TreeId>() };
  const looks = new Looks(parts);
  const treesOfCommits = new Map<Commit, TreeId>();

  const rememberedTreeOf = async (commit: Commit): Promise<TreeId> => {
    const known = treesOfCommits.get(commit);
    if (known) return known;
    const tree = await treeOf(git, commit);
    treesOfCommits.set(commit, tree);
    return tree;
  };

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
    capture: (desk, from) => capture(world, desk, from),
    closeDesk: (desk) => closeDesk(world, desk),
    look: (wish) => looks.look(wish),

    contents: async (tree) => {
      const { entries } = await world.listings.of(tree);
      return new Map([...entries].map(([path, { mode, oid }]) => [path, `${mode} ${oid}`]));
    },
    changes: (from, to) => treeChanges(git, from, to),
    merge: (sides) => mergeTrees(world, sides),

    pin: (run, name, tree) => pin(git, { run, name, tree }),
    seal: (facts) => seal(world, facts),
    advance: (run, move) => advance(git, run, move),

    planLanding: (tip) => planLanding(world, tip),
    land: (landing) => land(git, landing),
    collectGarbage: (keep) => collectGarbage(world, keep),
  };
}
