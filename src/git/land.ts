/**
 * Index and branch of the user, moved after the files. Every step finds out whether it was done already, so a landing
 * that was killed is finished by repeating it.
 */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { type GitCommand, GitFailed } from "./git-command.ts";
import { heldLock, lockedProblem } from "./git-locks.ts";
import { head } from "./head.ts";
import type { Place } from "./place.ts";
import type { Head, Landing } from "./repository.ts";

interface LandWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
}

/** Four processes. What is thrown with the code of a held lock, or as moved, left index and branch as they were. */
export async function land(world: LandWorld, { from, to }: Landing): Promise<void> {
  const { git } = world;
  const now = await head(git);
  if (now.branch !== from.branch || (now.commit !== from.commit && now.commit !== to)) throw moved(from, now);

  if (now.commit !== to) {
    await moveIndex(world, { from, to });
    const ref = from.branch === undefined ? "HEAD" : `refs/heads/${from.branch}`;
    await git.user(["update-ref", "--no-deref", "-m", "cox land", ref, to, from.commit]);
  }
  // The index has no times for the new files yet: without this, the user's next `git diff-files` would doubt them.
  // Whoever holds the index just now does it as well as we.
  await git.user(["update-index", "-q", "--refresh"], { answers: [1, 128] });
}

const attemptsMax = 3;

async function moveIndex(world: LandWorld, { from, to }: Landing): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const held = await heldLock(world, from);
    if (held !== undefined) throw asError(lockedProblem(held));
    try {
      // Two trees: what differs between them is changed, whatever else is staged is kept, and an entry that already is
      // as it will be is left. `-i` looks at the index alone: the files are as they will be, which is no obstacle.
      await world.git.user(["read-tree", "-i", "-m", from.commit, to]);
      return;
    } catch (error) {
      // Somebody took the lock after we had looked.
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
