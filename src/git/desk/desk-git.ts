/**
 * The git directory at a desk, for the agent's own use: HEAD at the base, objects borrowed from the user's store, no
 * remote, no branch. We create it, and our git never reads it again, whatever the agent puts there; we only compare its
 * bytes with what we wrote.
 */
import type { CommitId, TreeId } from "../../std/object-id.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import { configText } from "../command/config-text.ts";
import type { GitCommand } from "../command/git-command.ts";
import { alternatesText } from "../command/home.ts";
import type { UserSettings } from "../command/user-settings.ts";
import { madeText } from "./meddling.ts";

export interface DeskGit {
  readonly folder: string;
  /** Our own index of the checkout as it is. */
  readonly index: string;
  /** The file that records what we made. */
  readonly made: string;
  readonly base: CommitId;
  /** The tree for the desk's own index. */
  readonly staged: TreeId;
  /** The tree in our index; undefined when not known. */
  readonly tree?: TreeId;
}

/** Costs one git process, or none if both indexes have the same tree. */
export async function makeDeskGit(
  world: {
    readonly git: GitCommand;
    readonly trees: FolderTrees;
    readonly place: CheckoutPaths;
    readonly settings: UserSettings;
  },
  { folder, index, made, base, staged, tree }: DeskGit,
): Promise<void> {
  const { git, trees, place, settings } = world;
  for (const name of ["objects/info", "refs/heads", "info"]) {
    trees.makeFolder(bytePath(`${folder}/.git/${name}`));
  }
  const write = (name: string, bytes: Uint8Array | string) =>
    trees.write(bytePath(`${folder}/.git/${name}`), bytes);
  const config = configText(place, new Map([...withoutFilters(settings.bytes), ...own]));
  write("config", config);
  write("objects/info/alternates", alternatesText(place.objects));
  write("index", trees.read(bytePath(index)));
  if (tree !== staged) {
    const at = { index: `${folder}/.git/index`, workTree: folder };
    await git.own(["read-tree", "-i", "-m", staged], at);
  }
  trees.write(bytePath(made), madeText({ head: base, config }));
  // HEAD comes last: a folder without it is no repository, so an agent never finds half of one.
  write("HEAD", `${base}\n`);
}

const own = new Map([
  ["user.name", "coxswain desk"],
  ["user.email", "desk@coxswain.invalid"],
  ["commit.gpgsign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
]);

/**
 * Filters are left out: they are programs, and the agent can change this file. The agent's own configuration may have
 * them.
 */
function withoutFilters(settings: ReadonlyMap<string, string>): [string, string][] {
  return [...settings].filter(([key]) => !key.startsWith("filter."));
}
