/**
 * The port to the repository: desks, what was changed at them, merges, commits on the run's branch, landing.
 *
 * The user's checkout, index, stash, configuration, hooks and every ref outside `refs/coxswain/` and `cox/*` are
 * never touched by any of these calls but `land`. Trees and commits are named by their object ids; a call that is
 * repeated after a crash finds its own work and does no harm.
 */
import type { Change } from "../change/change.ts";
import type { Bypassed } from "./bypassed.ts";

export type Commit = string & { readonly __brand: "Commit" };
export type TreeId = string & { readonly __brand: "TreeId" };

export interface Repository {
  /** Of the user's checkout, links resolved. */
  readonly root: string;
  /** What an agent must not be able to write to, besides `root`: the git directories, and all desks but its own. */
  readonly guarded: readonly string[];

  head(): Promise<Head>;
  /** Files of the user's checkout that are not as the HEAD has them, without those that are ignored: no desk has them so. */
  uncommitted(): Promise<readonly string[]>;
  treeOf(commit: Commit): Promise<TreeId>;
  isAncestor(one: Commit, of: Commit): Promise<boolean>;

  /** Pins the base at `refs/coxswain/RUN/base` and makes the branch `cox/RUN` there, unless they are there already. */
  beginRun(run: string, base: Commit): Promise<void>;
  /** Where the run's branch is. */
  tip(run: string): Promise<Commit | undefined>;

  /**
   * A checkout of `tree` for somebody to work at, with a git directory of its own whose HEAD is `base`. The same
   * name opens the same desk: as it was left when `keep` is true and it is there, else made anew.
   */
  openDesk(desk: DeskRequest): Promise<Desk>;
  /** What stands at the desk now, as a tree, and how it differs from `from`. Ignored files are named, never taken. */
  capture(desk: Desk, from: TreeId): Promise<Captured>;
  /** Returns the desk for use by others; what stands there is lost. Nothing happens when there is none. */
  closeDesk(desk: Pick<Desk, "run" | "name">): Promise<void>;

  /**
   * What lies outside the desks that agents work at, to be held against a later look; with it the desks named, at which
   * nobody works. Where somebody has changed which programs git starts, git is not asked any more.
   */
  look(wish: { readonly desks: readonly Pick<Desk, "run" | "name">[] }): Promise<Sight>;

  /** What a tree holds: for each path something that is equal exactly when the content is. */
  contents(tree: TreeId): Promise<ReadonlyMap<string, string>>;
  /** How two trees differ. */
  changes(from: TreeId, to: TreeId): Promise<TreeChanges>;
  /** Three-way, without touching any checkout. */
  merge(sides: { readonly base: TreeId; readonly ours: TreeId; readonly theirs: TreeId }): Promise<Merged>;

  /** Keeps a tree from being collected, under a name of the run: `refs/coxswain/RUN/NAME`. */
  pin(run: string, name: string, tree: TreeId): Promise<void>;
  /** Writes the commit object, durably. The same facts give the same commit, whoever asks and when. */
  seal(facts: CommitFacts): Promise<Commit>;
  /**
   * Moves the run's branch from `from` to `to`; says where it was found when it was at neither. One that somebody deleted
   * or has checked out is not moved: what is thrown says what to do.
   */
  advance(
    run: string,
    move: { readonly from: Commit; readonly to: Commit },
  ): Promise<{ readonly found?: Commit }>;

  /** What landing on the user's branch would do. */
  planLanding(tip: Commit): Promise<LandingPlan>;
  /** Index and branch, after the files have been changed: moves them from `from` to `to`, only from there. */
  land(landing: Landing): Promise<void>;

  /** Removes desks and refs of runs that are not named here; answers with what it removed. */
  collectGarbage(keep: { readonly runs: readonly string[]; readonly dryRun: boolean }): Promise<Garbage>;
}

export interface Head {
  readonly commit: Commit;
  /** Nothing when the HEAD is detached. */
  readonly branch?: string;
}

export interface DeskRequest {
  readonly run: string;
  /** A safe ASCII name: a task's key, or one of ours. */
  readonly name: string;
  readonly base: Commit;
  readonly tree: TreeId;
  /** Whether what stands there already is wanted. */
  readonly keep: boolean;
  /**
   * A desk that was given back is used again for the same purpose only, so that no agent ever worked at one for
   * `verify`. It is `work` when nothing is said.
   */
  readonly purpose?: "work" | "verify";
}

export interface Desk {
  readonly run: string;
  readonly name: string;
  readonly folder: string;
  /** True when it was there and was kept. */
  readonly isKept: boolean;
}

export interface Captured extends TreeChanges {
  readonly tree: TreeId;
  /** Ignored files at the desk that were not there when it was opened; at most some hundred. */
  readonly ignored: readonly string[];
  /** What is there that no tree can hold, or that leads outside: nested repositories, devices, links out. */
  readonly unfit: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** What was done to the desk's own git directory, which nobody reads. */
  readonly meddled: readonly { readonly code: string; readonly message: string }[];
}

/** By place, in words. A place that one of two looks does not have cannot be compared. */
export type Sight = ReadonlyMap<string, SeenPlace>;

export interface SeenPlace {
  /** People change such things too while a run goes on: they save, commit, fetch. */
  readonly isUsers: boolean;
  /** By path, something that is equal as long as nobody changed it. */
  readonly marks: ReadonlyMap<string, string>;
}

export interface TreeChanges {
  /** Regular files, as the policy judges them. */
  readonly changes: readonly Change[];
  /** Links that were made or changed, with where they point now (nothing: removed). */
  readonly links: readonly { readonly path: string; readonly target?: string }[];
  /** Bytes of one side of a change, by its hash. */
  bytes(sha256: string): Uint8Array;
}

export type Merged =
  | { readonly kind: "clean"; readonly tree: TreeId }
  /** The tree holds the conflicting files with markers. */
  | { readonly kind: "conflict"; readonly tree: TreeId; readonly paths: readonly string[] };

export interface CommitFacts {
  readonly tree: TreeId;
  readonly parents: readonly Commit[];
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Seconds since 1970. */
  readonly time: number;
}

export type LandingPlan =
  | { readonly kind: "already" }
  | {
      readonly kind: "possible";
      readonly how: "fast-forward" | "merge";
      readonly from: Head;
      /** The tree that the user's branch will have, and for a merge both parents of the commit to be made. */
      readonly tree: TreeId;
      readonly parents: readonly Commit[];
      /** The files of the checkout, as they are there (with the user's line ends and filters), before and after. */
      readonly files: TreeChanges;
      /** What the user's git would have done with such commits, and nobody did. */
      readonly bypassed: Bypassed;
    }
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly message: string;
      readonly hint: string;
      readonly paths: readonly string[];
    };

export interface Landing {
  readonly from: Head;
  readonly to: Commit;
}

export interface Garbage {
  readonly desks: readonly { readonly run: string; readonly name: string; readonly bytes: number }[];
  readonly refs: readonly string[];
}
