/**
 * Index and branch of the user, moved after the files. Every step finds out whether it was done already, so a landing
 * that was killed is finished by repeating it.
 */
import { quote } from "../std/printable.ts";
import type { GitCommand } from "./git-command.ts";
import { head } from "./head.ts";
import type { Head, Landing } from "./repository.ts";

/** Four processes. */
export async function land(git: GitCommand, { from, to }: Landing): Promise<void> {
  const now = await head(git);
  if (now.branch !== from.branch || (now.commit !== from.commit && now.commit !== to)) throw moved(from, now);

  if (now.commit !== to) {
    // Two trees: what differs between them is changed, whatever else is staged is kept, and an entry that already is
    // as it will be is left. `-i` looks at the index alone: the files are as they will be, which is no obstacle.
    await git.user(["read-tree", "-i", "-m", from.commit, to]);
    const ref = from.branch === undefined ? "HEAD" : `refs/heads/${from.branch}`;
    await git.user(["update-ref", "--no-deref", "-m", "cox land", ref, to, from.commit]);
  }
  // The index has no times for the new files yet: without this, the user's next `git diff-files` would doubt them.
  await git.user(["update-index", "-q", "--refresh"], { answers: [1] });
}

function moved(from: Head, now: Head): Error {
  const where = ({ commit, branch }: Head) =>
    `${branch ? quote(branch) : "a detached HEAD"} at ${commit.slice(0, 12)}`;
  const message = `your checkout is on ${where(now)} now; the landing began on ${where(from)}`;
  return Object.assign(new Error(message), { code: "LAND_MOVED" });
}
