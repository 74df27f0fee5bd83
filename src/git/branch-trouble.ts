/** What people do to a run's branch while it goes on, and how they put it right: the run pauses with these words. */
import { quote } from "../std/printable.ts";
import type { Commit } from "./repository.ts";

export const branchTrouble = { checkedOut, gone };

/** To move it under somebody would make their checkout look as though the new commit were taken out by hand. */
function checkedOut(run: string, folder: string): Error {
  const message = `cox/${run} is checked out in ${quote(folder, 300)}, so the run cannot put its next commit there; its work is kept.`;
  const hint =
    "Go to a branch of your own there (git switch -c NAME, or git switch -), then go on with the run.";
  return Object.assign(new Error(message), { code: "GIT_BRANCH_CHECKED_OUT", hint });
}

function gone(run: string, at: Commit): Error {
  const message = `somebody deleted cox/${run}, which was at ${at.slice(0, 12)}; its commits are kept.`;
  const hint = `Put it back with: git branch cox/${run} ${at}`;
  return Object.assign(new Error(message), { code: "GIT_BRANCH_GONE", hint });
}
