/**
 * What a run's commits skip of the user's setup: the coordinator makes them without a signature, and no hook runs on
 * them. A user who has set up either should know before such commits land.
 */
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import type { UserSettings } from "../command/user-settings.ts";

export interface Bypassed {
  readonly signature: boolean;
  /** Names of the hooks that git would have run. */
  readonly hooks: readonly string[];
}

const hookNames = ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-merge-commit"];

export function bypassed({
  trees,
  place,
  settings,
}: {
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
}): Bypassed {
  const folder = hooksFolder(place, settings);
  const isRunnable = (name: string) => {
    const found = trees.look(bytePath(`${folder}/${name}`));
    return found?.kind === "link" || (found?.kind === "file" && (found.mode & 0o111) !== 0);
  };
  const signs = settings.all.get("commit.gpgsign")?.toLowerCase() ?? "";
  return {
    signature: ["true", "yes", "on", "1"].includes(signs),
    hooks: hookNames.filter(isRunnable),
  };
}

/** A relative path is resolved from the root of the checkout. */
function hooksFolder({ root, commonDir }: CheckoutPaths, { all }: UserSettings): string {
  const said = all.get("core.hookspath");
  if (!said) return `${commonDir}/hooks`;
  return said.startsWith("/") ? said : `${root}/${said}`;
}
