/**
 * What people may do to a run's branch while the run is active, and how to put it right. The run pauses with these
 * messages.
 */
import type { CommitId } from "../../std/object-id.ts";
import { quote } from "../../std/printable.ts";

export const branchTrouble = { checkedOut, gone };

/**
 * Moving a branch that is checked out would make that checkout look as if the new commit had been taken out by hand.
 */
function checkedOut(run: string, folder: string): Error {
  const message = `cox/${run} is checked out in ${quote(folder, 300)}, so the run cannot put its next commit there; its work is kept.`;
  const hint =
    "Switch to a branch of your own there (git switch -c NAME, or git switch -), then resume the run.";
  return Object.assign(new Error(message), { code: "GIT_BRANCH_CHECKED_OUT", hint });
}

function gone(run: string, at: CommitId): Error {
  const message = `somebody deleted cox/${run}, which was at ${at.slice(0, 12)}; its commits are kept.`;
  const hint = `Restore it with: git branch cox/${run} ${at}`;
  return Object.assign(new Error(message), { code: "GIT_BRANCH_GONE", hint });
}
