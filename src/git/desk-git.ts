/**
 * The git directory at a desk, for the agent's own use: HEAD at the base, objects borrowed from the user's store, no
 * remote, no branch. We make it and let git never read it again, whatever the agent puts there; its bytes are only
 * compared with what we wrote.
 */
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { configText } from "./config-text.ts";
import type { GitCommand } from "./git-command.ts";
import { alternatesText } from "./home.ts";
import { madeText } from "./meddling.ts";
import type { Place } from "./place.ts";
import type { Commit, TreeId } from "./repository.ts";
import type { UserSettings } from "./user-settings.ts";

export interface DeskGit {
  readonly folder: string;
  /** Ours, of the checkout as it stands. */
  readonly index: string;
  /** Where it is written down what was made. */
  readonly made: string;
  readonly base: Commit;
  /** What its own index shall hold. */
  readonly staged: TreeId;
  /** What ours holds; nothing when that is not known. */
  readonly tree?: TreeId;
}

/** One process, none where both indexes are of one tree. */
export async function makeDeskGit(
  world: {
    readonly git: GitCommand;
    readonly trees: FolderTrees;
    readonly place: Place;
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
  // Last: a folder without it is no repository, so an agent never finds half of one.
  write("HEAD", `${base}\n`);
}

const own = new Map([
  ["user.name", "coxswain desk"],
  ["user.email", "desk@coxswain.invalid"],
  ["commit.gpgsign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
]);

/** The agent's own configuration has them or not: they are programs, and this file is the agent's to change. */
function withoutFilters(settings: ReadonlyMap<string, string>): [string, string][] {
  return [...settings].filter(([key]) => !key.startsWith("filter."));
}
