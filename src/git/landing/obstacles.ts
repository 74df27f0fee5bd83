/** The user's uncommitted work that is in the way of a landing. */
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import type { GitCommand } from "../command/git-command.ts";
import type { TreeEntryDifference } from "../tree-changes.ts";

export interface Obstacles {
  readonly isUnmerged: boolean;
  /** Changed in the index or the checkout, but not committed. */
  readonly dirty: readonly string[];
  /** Untracked, and in the place of a new file or of a folder above it. */
  readonly inTheWay: readonly string[];
  /** A file that becomes a folder, or a folder that becomes a file. */
  readonly folders: readonly string[];
}

/** Costs one git process. It reads the user's index but does not write it, so outdated times in it stay. */
export async function obstacles(
  {
    git,
    trees,
    place,
  }: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: CheckoutPaths },
  differences: readonly TreeEntryDifference[],
): Promise<Obstacles> {
  const args = [
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=no",
    "--no-renames",
    "--ignore-submodules=all",
  ];
  const rows = Buffer.from((await git.user(args)).stdout)
    .toString("utf8")
    .split("\0");
  const changed = new Set(rows.map(pathOf));
  const removed = new Set<string>(differences.filter(({ post }) => !post).map(({ path }) => path));

  const dirty = differences.filter(({ path }) => changed.has(path)).map(({ path }) => path);
  const [inTheWay, folders]: [string[], string[]] = [[], []];
  for (const { path, pre } of differences) {
    if (pre) continue;
    const blocked = blockedBy(path);
    if (blocked === undefined) continue;
    const isOfTree = removed.has(blocked) || [...removed].some((gone) => gone.startsWith(`${blocked}/`));
    (isOfTree ? folders : inTheWay).push(blocked);
  }
  return {
    isUnmerged: rows.some((row) => row.startsWith("u ")),
    dirty,
    inTheWay: [...new Set(inTheWay)],
    folders,
  };

  /** The first parent of a new file that is not a folder, or whatever is at the file's own path. */
  function blockedBy(path: string): string | undefined {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const above = path.slice(0, at);
      const found = trees.look(bytePath(`${place.root}/${above}`));
      if (!found) return undefined;
      if (found.kind !== "folder") return above;
    }
    return trees.look(bytePath(`${place.root}/${path}`)) ? path : undefined;
  }
}

/** `1 XY SUB MODE MODE MODE OID OID PATH`, with one more mode and one more object id if unmerged. */
function pathOf(row: string): string {
  const fieldsBefore = row.startsWith("u ") ? 10 : 8;
  let at = -1;
  for (let field = 0; field < fieldsBefore; field++) at = row.indexOf(" ", at + 1);
  return row.slice(at + 1);
}
