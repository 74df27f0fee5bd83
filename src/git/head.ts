/** The user's HEAD, and facts about commits. Each call costs one process. */
import { type CommitId, commitId, type TreeId, treeId } from "../std/object-id.ts";
import { type GitCommand, linesOf } from "./command/git-command.ts";
import type { Head } from "./repository.ts";

export async function head(git: GitCommand): Promise<Head> {
  const { stdout } = await git.user(["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"]);
  const [commit = "", name = ""] = linesOf(stdout);
  return {
    commit: commitId(commit),
    ...(name.startsWith(heads) ? { branch: name.slice(heads.length) } : {}),
  };
}

const heads = "refs/heads/";

export async function treeOf(git: GitCommand, commit: CommitId): Promise<TreeId> {
  const { stdout } = await git.own(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`]);
  return treeId(linesOf(stdout)[0] ?? "");
}

export async function isAncestor(git: GitCommand, one: CommitId, of: CommitId): Promise<boolean> {
  const { code } = await git.own(["merge-base", "--is-ancestor", one, of], { answers: [1] });
  return code === 0;
}

export async function countCommits(
  git: GitCommand,
  { from, to }: { readonly from: CommitId; readonly to: CommitId },
): Promise<number> {
  const { stdout } = await git.own(["rev-list", "--count", `${from}..${to}`]);
  return Number(linesOf(stdout)[0]);
}

/**
 * The newest commit that both descend from; undefined when there is none. If one of the two contains the other, it is
 * the other one.
 */
export async function commonAncestor(
  git: GitCommand,
  one: CommitId,
  other: CommitId,
): Promise<CommitId | undefined> {
  const { stdout } = await git.own(["merge-base", one, other], { answers: [1] });
  const [common] = linesOf(stdout);
  return common === undefined ? undefined : commitId(common);
}
