/**
 * Where a branch is checked out: in the user's checkout or in another worktree of the repository. It needs no process:
 * git keeps this in files whose format has not changed since worktrees were introduced.
 */
import { decodeUtf8 } from "../../std/utf8.ts";
import { bytePath, textOfBytePath } from "../../world/files/byte-path.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";

interface Checkouts {
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

/** The folder of the first worktree whose HEAD is this ref. */
export function checkedOutAt({ trees, place }: Checkouts, ref: string): string | undefined {
  const isAt = (gitDir: string) => textOf(trees, `${gitDir}/HEAD`) === `ref: ${ref}`;
  if (isAt(place.gitDir)) return place.root;
  if (isAt(place.commonDir)) return withoutGit(place.commonDir);
  const below = `${place.commonDir}/worktrees`;
  const linked = namesIn(trees, below).find((name) => isAt(`${below}/${name}`));
  return linked && withoutGit(textOf(trees, `${below}/${linked}/gitdir`) ?? `${below}/${linked}`);
}

function namesIn(trees: FolderTrees, folder: string): string[] {
  return (
    unlessGone(() => trees.list(bytePath(folder)).flatMap(({ name }) => textOfBytePath(name) ?? [])) ?? []
  );
}

function textOf(trees: FolderTrees, path: string): string | undefined {
  return unlessGone(() => decodeUtf8(trees.read(bytePath(path))).trim());
}

/** Worktrees may disappear while we look. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function withoutGit(gitDir: string): string {
  return gitDir.endsWith("/.git") ? gitDir.slice(0, -"/.git".length) : gitDir;
}
