/**
 * The port to the repository: desks, captures, merges, commits on the run's branch, landing.
 *
 * Only `land` ever touches the user's checkout, index, stash, configuration, hooks or any ref outside `refs/coxswain/`
 * and `cox/*`. Trees and commits are named by their object ids. A call repeated after a crash finds its own work and
 * does no harm.
 */
import type { Change } from "../change/change.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { Bypassed } from "./desk/bypassed.ts";

export interface Repository {
  /** The user's checkout, links resolved. */
  readonly root: string;
  /** What an agent must not be able to write to, besides `root`: the git directories, and all desks but its own. */
  readonly guarded: readonly string[];

  head(): Promise<Head>;
  /** Files of the user's checkout that differ from HEAD, without ignored ones. Desks do not contain these changes. */
  uncommitted(): Promise<readonly string[]>;
  treeOf(commit: CommitId): Promise<TreeId>;
  isAncestor(one: CommitId, of: CommitId): Promise<boolean>;

  /** Pins the base at `refs/coxswain/RUN/base` and creates the branch `cox/RUN` there, unless they already exist. */
  beginRun(run: string, base: CommitId): Promise<void>;
  /** The newest commit of the run's branch. */
  tip(run: string): Promise<CommitId | undefined>;

  /**
   * Opens a checkout of `tree` to work at, with a git directory of its own whose HEAD is `base`. The same name opens
   * the same desk: as it was left if `keep` is true and it exists, otherwise made again.
   */
  openDesk(desk: DeskRequest): Promise<Desk>;
  /**
   * Captures what is at the desk now as a tree, and how it differs from `from`. Ignored files are listed, never
   * captured.
   */
  capture(desk: Desk, from: TreeId): Promise<Captured>;
  /** Returns the desk for use by others; its contents are lost. Does nothing when there is no such desk. */
  closeDesk(desk: Pick<Desk, "run" | "name">): Promise<void>;

  /**
   * Takes a snapshot of what lies outside the desks that agents work at, to compare with a later one. It includes the
   * given desks, at which nobody works. If somebody has changed which programs git starts, git is not asked any more.
   */
  look(options: { readonly desks: readonly Pick<Desk, "run" | "name">[] }): Promise<OutsideSnapshot>;

  /** What a tree holds: for each path a value that is equal exactly when the content is. */
  contents(tree: TreeId): Promise<ReadonlyMap<string, string>>;
  /** How two trees differ. */
  changes(from: TreeId, to: TreeId): Promise<TreeChanges>;
  /** Three-way merge, without touching any checkout. */
  merge(sides: { readonly base: TreeId; readonly ours: TreeId; readonly theirs: TreeId }): Promise<Merged>;

  /** Keeps a tree from being garbage-collected, under a name of the run: `refs/coxswain/RUN/NAME`. */
  pin(run: string, name: string, tree: TreeId): Promise<void>;
  /** Writes the commit object, durably. The same facts always give the same commit. */
  commitTree(facts: CommitFacts): Promise<CommitId>;
  /**
   * Moves the run's branch from `from` to `to`; if it was at neither, returns where it was found. A branch that
   * somebody deleted or has checked out is not moved: the error says what to do.
   */
  advance(
    run: string,
    move: { readonly from: CommitId; readonly to: CommitId },
  ): Promise<{ readonly found?: CommitId }>;

  /** Counts the commits that `to` has and `from` does not. */
  countCommits(between: { readonly from: CommitId; readonly to: CommitId }): Promise<number>;
  /** What landing on the user's branch would do. */
  planLanding(tip: CommitId): Promise<LandingPlan>;
  /**
   * Moves index and branch from `from` to `to`, after the files have been changed. Does so only if they are at `from`,
   * or already at `to`.
   */
  land(landing: LandingRequest): Promise<void>;

  /** All desks, and all refs that keep objects, of any run. */
  findGarbage(): Promise<Garbage>;
  /** Removes the garbage of these runs, which nobody may be working at; returns what it removed. */
  removeGarbage(runs: readonly string[]): Promise<Garbage>;
}

export interface Head {
  readonly commit: CommitId;
  /** Undefined when HEAD is detached. */
  readonly branch?: string;
}

export interface DeskRequest {
  readonly run: string;
  /** A safe ASCII name: a task's key, or one of ours. */
  readonly name: string;
  readonly base: CommitId;
  readonly tree: TreeId;
  /** Whether to keep what is already at the desk. */
  readonly keep: boolean;
  /**
   * A closed desk is reused only for the same purpose, so that no agent has ever worked at a `verify` desk. Defaults to
   * `work`.
   */
  readonly purpose?: "work" | "verify";
}

export interface Desk {
  readonly run: string;
  readonly name: string;
  readonly folder: string;
  /** True when the desk existed and was kept. */
  readonly isKept: boolean;
}

export interface Captured extends TreeChanges {
  readonly tree: TreeId;
  /** Names in a folder ("" is the root) of the tree that it was compared with; empty when there is no such folder. */
  readonly namesBefore: (folder: string) => readonly string[];
  /** Ignored files at the desk that were not there when it was opened; at most some hundred. */
  readonly ignored: readonly string[];
  /** What no tree can hold, or what leads outside: nested repositories, devices, links to outside. */
  readonly unfit: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** What was done to the desk's own git directory, which our git never reads. */
  readonly meddled: readonly { readonly code: string; readonly message: string }[];
}

/** By place, named in words. A place that is in only one of two snapshots cannot be compared. */
export type OutsideSnapshot = ReadonlyMap<string, SeenPlace>;

export interface SeenPlace {
  /** Whether the user may also change it during a run, by saving, committing or fetching. */
  readonly isUsers: boolean;
  /** By path, a value that stays equal as long as nobody changes the file. */
  readonly marks: ReadonlyMap<string, string>;
}

export interface TreeChanges {
  /** Regular files, as the policy judges them. */
  readonly changes: readonly Change[];
  /** Links that were made or changed, with their current target; undefined when removed. */
  readonly links: readonly { readonly path: string; readonly target?: string }[];
  /** Bytes of one side of a change, by its hash. */
  bytes(sha256: string): Uint8Array;
}

export type Merged =
  | { readonly kind: "clean"; readonly tree: TreeId }
  /** The tree holds the conflicting files with conflict markers. */
  | { readonly kind: "conflict"; readonly tree: TreeId; readonly paths: readonly string[] };

export interface CommitFacts {
  readonly tree: TreeId;
  readonly parents: readonly CommitId[];
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
      readonly parents: readonly CommitId[];
      /** The checkout's files before and after, as they are there, with the user's line endings and filters. */
      readonly files: TreeChanges;
      /** What the user's git would have done with these commits and ours did not. */
      readonly bypassed: Bypassed;
    }
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly message: string;
      readonly hint: string;
      readonly paths: readonly string[];
    };

export interface LandingRequest {
  readonly from: Head;
  readonly to: CommitId;
}

export interface Garbage {
  /** Every name that has something here; `.idle` stands for desks that wait for reuse. */
  readonly runs: readonly string[];
  readonly desks: readonly { readonly run: string; readonly name: string; readonly bytes: number }[];
  readonly refs: readonly string[];
}
