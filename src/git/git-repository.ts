/**
 * The repository, implemented with git. Every call looks at what is there now; only trees and commits are remembered
 * between calls, because they never change.
 */
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "./command/checkout-paths.ts";
import type { GitCommand } from "./command/git-command.ts";
import type { Home } from "./command/home.ts";
import type { UserSettings } from "./command/user-settings.ts";
import { commitTree } from "./commit-tree.ts";
import { capture } from "./desk/capture.ts";
import { closeDesk, openDesk } from "./desk/desks.ts";
import { OutsideSnapshots, uncommittedPaths } from "./desk/outside-snapshots.ts";
import { findGarbage, removeGarbage } from "./garbage.ts";
import { countCommits, head, isAncestor, treeOf } from "./head.ts";
import { landFiles } from "./landing/land.ts";
import { planLanding } from "./landing/plan-landing.ts";
import { mergeTrees } from "./merge.ts";
import { advanceBranch, beginRun, pin, tip } from "./refs.ts";
import { RememberedAnswers } from "./remembered.ts";
import type { Repository, TreeChanges } from "./repository.ts";
import { treeChanges } from "./tree-changes.ts";
import { type TreeListing, TreeListings } from "./tree-listing.ts";

export interface GitRepositoryParts {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
  readonly home: Home;
  /** A commit that was already examined. */
  readonly known: { readonly commit: CommitId; readonly tree: TreeId; readonly listing: TreeListing };
}

export function gitRepository({ known, ...parts }: GitRepositoryParts): Repository {
  const { git, place } = parts;
  const listings = new TreeListings(git, known);
  const world = { ...parts, listings, indexed: new Map<string, TreeId>() };
  const looks = new OutsideSnapshots(parts);
  const trees = new TreesOfCommits(git, known);
  const captures = new RememberedAnswers<TreeChanges>(rememberedMax);
  const pair = (from: TreeId, to: TreeId) => `${from} ${to}`;

  return {
    root: place.root,
    guarded: [...new Set([place.gitDir, place.commonDir, place.objects, place.home, place.desks])],

    head: () => head(git),
    treeOf: (commit) => trees.of(commit),
    isAncestor: (one, of) => isAncestor(git, one, of),
    countCommits: (between) => countCommits(git, between),

    beginRun: (run, base) => beginRun(git, run, base),
    tip: (run) => tip(git, run),

    openDesk: async (request) => openDesk(world, { ...request, baseTree: await trees.of(request.base) }),
    capture: async (desk, from) => {
      const captured = await capture(world, desk, from);
      if (captured.tree !== from && isLight(captured))
        captures.keep(pair(from, captured.tree), Promise.resolve(captured));
      return captured;
    },
    closeDesk: (desk) => closeDesk(world, desk),
    look: (options) => looks.look(options),
    uncommitted: () => uncommittedPaths(git),

    contents: async (tree) => {
      const { entries } = await world.listings.of(tree);
      return new Map([...entries].map(([path, { mode, oid }]) => [path, `${mode} ${oid}`]));
    },
    changes: (from, to) => captures.find(pair(from, to)) ?? treeChanges(git, from, to),
    merge: (sides) => mergeTrees(world, sides),

    pin: (run, name, tree) => pin(git, { run, name, tree }),
    commitTree: async (facts) => {
      const commit = await commitTree(world, facts);
      trees.keep(commit, facts.tree);
      return commit;
    },
    advance: (run, move) => advanceBranch(world, run, move),

    planLanding: (tip) => planLanding({ ...world, treeOf: (commit) => trees.of(commit) }, tip),
    land: (landing) => landFiles(world, landing),
    findGarbage: () => findGarbage(world),
    removeGarbage: (runs) => removeGarbage(world, runs),
  };
}

class TreesOfCommits {
  readonly #trees: Map<CommitId, TreeId>;

  constructor(
    private readonly git: GitCommand,
    { commit, tree }: { readonly commit: CommitId; readonly tree: TreeId },
  ) {
    this.#trees = new Map([[commit, tree]]);
  }

  keep(commit: CommitId, tree: TreeId): void {
    this.#trees.set(commit, tree);
  }

  async of(commit: CommitId): Promise<TreeId> {
    const remembered = this.#trees.get(commit);
    if (remembered) return remembered;
    const tree = await treeOf(this.git, commit);
    this.keep(commit, tree);
    return tree;
  }
}

/** An auditor soon asks again for what was captured; large changes are read again then. */
const rememberedMax = 8;
const rememberedBytesMax = 1 << 20;

function isLight({ changes }: TreeChanges): boolean {
  const sizes = changes.flatMap(({ pre, post }) => [pre?.size ?? 0, post?.size ?? 0]);
  return sizes.reduce((sum, size) => sum + size, 0) <= rememberedBytesMax;
}
