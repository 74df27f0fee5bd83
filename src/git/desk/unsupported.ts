/**
 * Repository features that we cannot promise to preserve. Each is refused before anything is created, because a desk
 * that lacks something the user's checkout has would verify a different program.
 */
import type { CommitId, TreeId } from "../../std/object-id.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import type { GitCommand } from "../command/git-command.ts";
import type { UserSettings } from "../command/user-settings.ts";
import type { TreeListing } from "../tree-listing.ts";

export interface RepositoryFacts {
  readonly settings: UserSettings;
  readonly isShallow: boolean;
  readonly hasBranchCox: boolean;
  /** Undefined when there is no commit yet. */
  readonly head?: { readonly commit: CommitId; readonly tree: TreeId };
}

/** Costs no git process. */
export function unsupportedRepository({ head, settings, ...is }: RepositoryFacts): Problem | undefined {
  if (!head) return unborn;
  if (is.isShallow) return shallow;
  if (isPartial(settings)) return partial;
  if (isTrue(settings, "core.sparsecheckout")) return sparse;
  return is.hasBranchCox ? branchCox : undefined;
}

interface LookedTree {
  readonly git: GitCommand;
  readonly settings: UserSettings;
  readonly listing: TreeListing;
}

/** Costs one git process, or none without .gitattributes. */
export async function unsupportedTree(looked: LookedTree): Promise<Problem | undefined> {
  return submodules(looked.listing) ?? (await filters(looked));
}

function isPartial({ all }: UserSettings): boolean {
  return (
    all.has("extensions.partialclone") || [...all.keys()].some((key) => /^remote\..*\.promisor$/.test(key))
  );
}

function isTrue({ all }: UserSettings, key: string): boolean {
  return /^(true|yes|on|1)$/i.test(all.get(key) ?? "");
}

const unborn: Problem = {
  code: "GIT_NO_COMMIT",
  message: "the repository has no commit yet, so a run has nothing to start from",
  hint: "Create the first one: git add -A && git commit -m 'Begin'.",
};
const shallow: Problem = {
  code: "GIT_SHALLOW",
  message: "the repository is a shallow clone: its history is cut off, and merges need it",
  hint: "Fetch the rest: git fetch --unshallow.",
};
const partial: Problem = {
  code: "GIT_PARTIAL_CLONE",
  message: "the repository is a partial clone: objects that a desk needs may be on a server only",
  hint: "Work in a full clone: git clone without --filter.",
};
const sparse: Problem = {
  code: "GIT_SPARSE",
  message:
    "the checkout is sparse: a desk would have files that your checkout lacks, and landing would have to write them",
  hint: "Make it complete: git sparse-checkout disable.",
};
const branchCox: Problem = {
  code: "GIT_BRANCH_COX",
  message: 'there is a branch "cox", so git cannot create branches below it, such as "cox/RUN"',
  hint: "Rename it: git branch -m cox another-name.",
};

function submodules({ entries }: TreeListing): Problem | undefined {
  for (const [path, { mode }] of entries) {
    if (mode !== "160000") continue;
    return {
      code: "GIT_SUBMODULES",
      message: `the repository has a submodule, ${quote(path)}: desks would have an empty folder there`,
      hint: "Submodules are not supported. Run in the submodule itself, or in a repository without any.",
    };
  }
  return undefined;
}

/** Filters run programs on a file's bytes; only those configured here have any effect. */
async function filters({ git, settings, listing }: LookedTree): Promise<Problem | undefined> {
  const attributes = [...listing.entries].filter(([path]) => /(^|\/)\.gitattributes$/.test(path));
  if (attributes.length === 0) return undefined;
  const input = `${attributes.map(([, { oid }]) => oid).join("\n")}\n`;
  const text = Buffer.from((await git.user(["cat-file", "--batch"], { input })).stdout).toString("latin1");

  for (const name of new Set([...text.matchAll(/\bfilter=(\S+)/g)].map((match) => match[1] ?? ""))) {
    const programs = ["clean", "smudge", "process"].flatMap(
      (kind) => settings.all.get(`filter.${name}.${kind}`) ?? [],
    );
    if (name === "lfs" || programs.some((program) => program.includes("git-lfs"))) return lfs;
    const own = programs.find((program) => namesFile(program, listing));
    if (own !== undefined) return filterOfTree(name, own);
  }
  return undefined;
}

/** Filters run in the checkout, so one that is a file there could have been changed by an agent. */
function namesFile(program: string, { entries }: TreeListing): boolean {
  return program.split(/[\s"'=;|&]+/).some((word) => entries.has(bytePath(word.replace(/^\.\//, ""))));
}

const lfs: Problem = {
  code: "GIT_LFS",
  message: "the repository keeps files with Git LFS: an agent's changes to them would not reach its store",
  hint: "Git LFS is not supported. Run in a repository that does not use it.",
};

function filterOfTree(name: string, program: string): Problem {
  return {
    code: "GIT_FILTER",
    message: `the filter ${quote(name)} runs ${oneLine(program, 80)}, a file of the repository itself: at a desk, an agent could change that file`,
    hint: "Install the filter's program outside of the repository, and name it by its absolute path.",
  };
}
