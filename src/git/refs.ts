/**
 * A run's refs in the user's repository: `refs/coxswain/RUN/…` keep objects from being garbage-collected, and the
 * branch `cox/RUN` shows the run's commits. A branch is moved only from its expected value. A pin belongs to the run
 * alone and is simply overwritten.
 */
import { assert } from "../std/assert.ts";
import { type CommitId, commitId, type TreeId } from "../std/object-id.ts";
import { quote } from "../std/printable.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import { type CheckoutPaths, isSafeName } from "./command/checkout-paths.ts";
import { type GitCommand, GitFailed, linesOf } from "./command/git-command.ts";
import { branchTrouble } from "./landing/branch-trouble.ts";
import { checkedOutAt } from "./landing/checked-out.ts";

interface RefsWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

interface RunRefs {
  readonly pinned: string;
  readonly branch: string;
  readonly base: CommitId;
}

/** Costs one git process; two or three if some of it already exists. */
export async function beginRun(git: GitCommand, run: string, base: CommitId): Promise<void> {
  const beginning = { pinned: pinRef(run, "base"), branch: branchRef(run), base };
  try {
    await createRefs(git, [beginning.pinned, beginning.branch], base);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    await createRefs(git, await missingOf(git, beginning), base);
  }
}

async function missingOf(git: GitCommand, { pinned, branch, base }: RunRefs): Promise<string[]> {
  const found = await readRefs(git, pinned, branch);
  const at = found.get(pinned);
  if (at !== undefined && at !== base) throw taken(pinned, at);
  // The base is pinned first, so a branch without a pinned base is somebody else's.
  if (at === undefined && found.has(branch)) throw taken(branch, found.get(branch) ?? "");
  return [pinned, branch].filter((ref) => !found.has(ref));
}

/** Costs one git process. */
export async function tip(git: GitCommand, run: string): Promise<CommitId | undefined> {
  const ref = branchRef(run);
  const found = (await readRefs(git, ref)).get(ref);
  return found === undefined ? undefined : commitId(found);
}

/** Asks the long-lived git process. */
export async function pin(
  git: GitCommand,
  { run, name, tree }: { readonly run: string; readonly name: string; readonly tree: TreeId },
): Promise<void> {
  // No expected old value: reading it first and then requiring it would have the same effect.
  await moveRefs(git, [`update ${pinRef(run, name)}\0${tree}\0\0`]);
}

/**
 * Asks the long-lived git process; costs one more when the branch is not where it was expected, or is checked out. The
 * commit is pinned as well, because the user may delete the branch.
 */
export async function advanceBranch(
  world: RefsWorld,
  run: string,
  { from, to }: { readonly from: CommitId; readonly to: CommitId },
): Promise<{ found?: CommitId }> {
  const { git } = world;
  const ref = branchRef(run);
  const folder = checkedOutAt(world, ref);
  if (folder !== undefined && (await tip(git, run)) !== to) throw branchTrouble.checkedOut(run, folder);
  try {
    const orders = [`update ${ref}\0${to}\0${from}\0`, `update ${pinRef(run, "tip")}\0${to}\0\0`];
    await moveRefs(git, orders);
    return {};
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const found = await tip(git, run);
    if (found === to) return {};
    if (found === undefined) throw branchTrouble.gone(run, from);
    if (found === from) throw error;
    return { found };
  }
}

/** The pins of every run. Costs one git process. */
export async function pinnedRefs(git: GitCommand): Promise<ReadonlyMap<string, string>> {
  return readRefs(git, "refs/coxswain");
}

/** Costs one or two git processes; two more each time somebody else deletes the same refs at the same moment. */
export async function deletePins(git: GitCommand, isWanted: (ref: string) => boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const refs = [...(await pinnedRefs(git))].filter(([ref]) => isWanted(ref));
    if (refs.length === 0) return;
    try {
      await updateRefs(
        git,
        refs.map(([ref, old]) => `delete ${ref}\0${old}\0`),
      );
      return;
    } catch (error) {
      // Git deletes all or none, so if one is already gone, the rest is tried again.
      if (!(error instanceof GitFailed) || attempt === attemptsMax) throw error;
    }
  }
}

const attemptsMax = 10;

export function runOfPin(ref: string): string {
  return ref.split("/")[2] ?? "";
}

function branchRef(run: string): string {
  assert(isSafeName(run), `${run} is a safe name`);
  return `refs/heads/cox/${run}`;
}

function pinRef(run: string, name: string): string {
  assert(isSafeName(run) && isSafeName(name), `${run} and ${name} are safe names`);
  return `refs/coxswain/${run}/${name}`;
}

/** The existing refs at or below the given names. */
async function readRefs(git: GitCommand, ...names: string[]): Promise<Map<string, string>> {
  const { stdout } = await git.user(["for-each-ref", "--format=%(objectname) %(refname)", ...names]);
  return new Map(
    linesOf(stdout).map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(space + 1), line.slice(0, space)];
    }),
  );
}

async function createRefs(git: GitCommand, refs: readonly string[], at: CommitId): Promise<void> {
  if (refs.length === 0) return;
  await updateRefs(
    git,
    refs.map((ref) => `create ${ref}\0${at}\0`),
  );
}

/** All of the orders or none. The long-lived git process answers `start`, `prepare` and `commit` with a line each. */
async function moveRefs(git: GitCommand, orders: readonly string[]): Promise<void> {
  const args = ["update-ref", "--no-deref", "-m", "cox: task committed", "-z", "--stdin"];
  await git.askUser(args, ["start\0", ...orders, "prepare\0", "commit\0"].join(""), committedLength);
}

const committed = "commit: ok\n";

function committedLength(output: Buffer): number | undefined {
  const at = output.indexOf(committed);
  return at === -1 ? undefined : at + committed.length;
}

async function updateRefs(git: GitCommand, orders: readonly string[]): Promise<void> {
  await git.user(["update-ref", "--no-deref", "-z", "--stdin"], { input: orders.join("") });
}

function taken(ref: string, at: string): Error {
  const message = `the run's ref ${quote(ref)} already exists, at ${at.slice(0, 12)}, and does not belong to this run`;
  return Object.assign(new Error(message), { code: "GIT_REF_TAKEN" });
}
