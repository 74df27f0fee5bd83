/**
 * Finds the repository of a folder, refuses what we cannot work with, and creates our own git directory for it.
 *
 * It costs four or five git processes, once for each command that needs the repository.
 */
import { assert } from "../std/assert.ts";
import { commitId, isObjectId, type TreeId, treeId } from "../std/object-id.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { sha256 } from "../world/files/hash.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import type { Commands } from "../world/processes/commands.ts";
import type { CheckoutPaths } from "./command/checkout-paths.ts";
import { askGit, GitCommand, type GitEnvironment, GitFailed, linesOf } from "./command/git-command.ts";
import { makeHome } from "./command/home.ts";
import { SettingsGuard } from "./command/settings-guard.ts";
import { filterPrograms, type UserSettings, userSettings } from "./command/user-settings.ts";
import { type RepositoryFacts, unsupportedRepository, unsupportedTree } from "./desk/unsupported.ts";
import { gitRepository } from "./git-repository.ts";
import type { Repository } from "./repository.ts";
import { parseListing, type TreeListing } from "./tree-listing.ts";

export interface OpenRepositoryOptions {
  /** Any folder of the checkout. */
  readonly root: string;
  /** The user's cache folder: desks and our own files go below it. */
  readonly cache: string;
  /** Source of PATH and of where the user's configuration is; nothing else of it reaches git. */
  readonly environment: GitEnvironment;
}

export interface GitWorld {
  readonly commands: Commands;
  readonly trees: FolderTrees;
}

export type OpenRepositoryResult = { readonly repository: Repository } | { readonly problem: Problem };

export async function openRepository(
  world: GitWorld,
  opening: OpenRepositoryOptions,
): Promise<OpenRepositoryResult> {
  const { trees } = world;
  const fit = await judgeRepository(world, opening);
  if ("problem" in fit) return fit;
  const { place, settings, head, listing } = fit;
  const home = await makeHome(trees, place, settings);
  const read = () => userSettings(fit.git, place, opening.environment);
  const git = fit.git.guardedBy({
    home,
    settings: new SettingsGuard({ trees, first: settings, read }),
    programs: [...filterPrograms(settings).values()],
  });
  return { repository: gitRepository({ git, trees, place, settings, home, known: { ...head, listing } }) };
}

/** What would prevent a run there. Creates nothing. */
export async function repositoryProblem(
  world: Pick<GitWorld, "commands">,
  opening: OpenRepositoryOptions,
): Promise<Problem | undefined> {
  const fit = await judgeRepository(world, opening);
  return "problem" in fit ? fit.problem : undefined;
}

interface FitRepository {
  readonly git: GitCommand;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
  readonly head: NonNullable<RepositoryFacts["head"]>;
  readonly listing: TreeListing;
}

async function judgeRepository(
  { commands }: Pick<GitWorld, "commands">,
  opening: OpenRepositoryOptions,
): Promise<FitRepository | { readonly problem: Problem }> {
  const found = await find(commands, opening);
  if ("problem" in found) return found;
  const { place, head } = found;

  const git = new GitCommand(commands, place, opening.environment);
  const settings = await userSettings(git, place, opening.environment);
  const problem = unsupportedRepository({ ...found, settings });
  if (problem) return { problem };
  assert(head, "a repository without a commit is not supported");
  const listing = await usersListing(git, head.tree);
  const problemOfTree = await unsupportedTree({ git, settings, listing });
  if (problemOfTree) return { problem: problemOfTree };
  return { git, place, settings, head, listing };
}

/** Uses the user's git directory, because ours is created only when nothing is in the way. */
async function usersListing(git: GitCommand, tree: TreeId): Promise<TreeListing> {
  return parseListing((await git.user(["ls-tree", "-r", "-z", "--full-tree", tree])).stdout);
}

interface FoundPlace extends Omit<RepositoryFacts, "settings"> {
  readonly place: CheckoutPaths;
}

type Found = FoundPlace | { readonly problem: Problem };

async function find(commands: Commands, { root, cache, environment }: OpenRepositoryOptions): Promise<Found> {
  const ask = (...args: string[]) => askGit(commands, { args, folder: root, environment, answers: [128] });
  try {
    const old = tooOld(linesOf((await ask("version")).stdout)[0] ?? "");
    if (old) return { problem: old };

    const { stdout, stderr } = await ask(
      "rev-parse",
      "--path-format=absolute",
      "--is-bare-repository",
      "--is-shallow-repository",
      "--show-object-format",
      "--git-dir",
      "--git-common-dir",
      "--git-path",
      "objects",
      // After everything that always has an answer, because this is what fails when there is no checkout.
      "--show-toplevel",
      // When there is no commit yet, git prints the argument back and fails.
      "HEAD^{commit}",
      "HEAD^{tree}",
      // Prints a line only if there is a branch "cox". Without a pattern in it, the name would match the branches below
      // it.
      "--branches=co[x]",
    );
    const [bare, shallow, objectFormat, gitDir, commonDir, objects, top, commit = "", tree = "", branchCox] =
      linesOf(stdout);
    if (bare === "true") return { problem: bareProblem(root) };
    if (!gitDir || !commonDir || !objects || !top) return { problem: noRepository(root, stderr) };

    const key = sha256(commonDir).slice(0, 16);
    return {
      isShallow: shallow === "true",
      hasBranchCox: branchCox !== undefined,
      ...(isObjectId(commit) ? { head: { commit: commitId(commit), tree: treeId(tree) } } : {}),
      place: {
        root: top,
        gitDir,
        commonDir,
        objects,
        objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
        home: `${cache}/repositories/${key}`,
        desks: `${cache}/desks/${key}`,
      },
    };
  } catch (error) {
    if (error instanceof GitFailed && error.exitCode === 127) return { problem: noGit() };
    throw error;
  }
}

/** The oldest version with `merge-tree --write-tree` and everything else used here. */
const oldest = { major: 2, minor: 39 };

function tooOld(version: string): Problem | undefined {
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld =
    Number(major) < oldest.major || (Number(major) === oldest.major && Number(minor) < oldest.minor);
  if (!isOld) return undefined;
  return {
    code: "GIT_TOO_OLD",
    message: `${oneLine(version)} is installed; ${oldest.major}.${oldest.minor} or newer is needed`,
    hint: "Install a newer git.",
  };
}

function noGit(): Problem {
  return {
    code: "GIT_MISSING",
    message: "git could not be started",
    hint: "Install git 2.39 or newer, and see that it is in the PATH.",
  };
}

function noRepository(root: string, stderr: string): Problem {
  const said = stderr.split("\n").find((line) => line.startsWith("fatal:"));
  return {
    code: "GIT_NO_REPOSITORY",
    message: `${oneLine(root)} is not in a usable git repository: ${oneLine(said?.slice(7) ?? "git found none")}`,
    hint: "Go to your repository, or create one: git init && git add -A && git commit -m 'Begin'.",
  };
}

function bareProblem(root: string): Problem {
  return {
    code: "GIT_BARE",
    message: `${oneLine(root)} is a bare repository: it has no checkout to start a run from`,
    hint: "Work in a clone of it, or in a worktree: git worktree add ../work.",
  };
}
