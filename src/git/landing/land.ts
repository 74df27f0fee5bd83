/**
 * Moves the user's index and branch, after the files have changed. Every step checks whether it is already done, so a
 * landing that was killed is finished by repeating it.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import { type GitCommand, GitFailed } from "../command/git-command.ts";
import { heldLock, lockedProblem } from "../command/git-locks.ts";
import { head } from "../head.ts";
import type { Head, LandingRequest } from "../repository.ts";

interface LandWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

/**
 * Costs four git processes. If it throws because a lock is held or the branch has moved, index and branch are
 * unchanged.
 */
export async function landFiles(world: LandWorld, { from, to }: LandingRequest): Promise<void> {
  const { git } = world;
  const now = await head(git);
  if (now.branch !== from.branch || (now.commit !== from.commit && now.commit !== to)) throw moved(from, now);

  if (now.commit !== to) {
    await moveIndex(world, { from, to });
    const ref = from.branch === undefined ? "HEAD" : `refs/heads/${from.branch}`;
    await git.user(["update-ref", "--no-deref", "-m", "cox land", ref, to, from.commit]);
  }
  // The index has no times for the new files yet. Without this refresh, the user's next `git diff-files` would report
  // them as possibly changed. If somebody holds the index right now, they refresh it just as well.
  await git.user(["update-index", "-q", "--refresh"], { answers: [1, 128] });
}

const attemptsMax = 3;

async function moveIndex(world: LandWorld, { from, to }: LandingRequest): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const held = await heldLock(world, from);
    if (held !== undefined) throw asError(lockedProblem(held));
    try {
      // With two trees, read-tree changes what differs between them, keeps whatever else is staged, and leaves entries
      // that are already as they will be. `-i` ignores the files, which are already as they will be.
      await world.git.user(["read-tree", "-i", "-m", from.commit, to]);
      return;
    } catch (error) {
      // Somebody took the lock after our check.
      const isLocked = error instanceof GitFailed && /\.lock'?: File exists/.test(error.stderr);
      if (!isLocked) throw error;
      if (attempt === attemptsMax) throw asError(lockedProblem("index.lock"));
    }
  }
}

function asError(problem: Problem): Error {
  return Object.assign(new Error(problem.message), { code: problem.code, problem });
}

function moved(from: Head, now: Head): Error {
  const where = ({ commit, branch }: Head) =>
    `${branch ? quote(branch) : "a detached HEAD"} at ${commit.slice(0, 12)}`;
  const message = `your checkout is on ${where(now)} now; the landing began on ${where(from)}`;
  return Object.assign(new Error(message), { code: "LAND_MOVED" });
}
