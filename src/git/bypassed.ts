/**
 * What of the user's own ways a run's commits do without: they are made by the coordinator, without a signature, and no
 * hook runs on them. Who has set such a thing up wants to hear of it before such commits land.
 */
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import type { Place } from "./place.ts";
import type { UserSettings } from "./user-settings.ts";

export interface Bypassed {
  readonly signature: boolean;
  /** Their names, of those that git would have run. */
  readonly hooks: readonly string[];
}

const hookNames = ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-merge-commit"];

export function bypassed({
  trees,
  place,
  settings,
}: {
  readonly trees: FolderTrees;
  readonly place: Place;
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

/** A path that is not whole is read from the root of the checkout. */
function hooksFolder({ root, commonDir }: Place, { all }: UserSettings): string {
  const said = all.get("core.hookspath");
  if (!said) return `${commonDir}/hooks`;
  return said.startsWith("/") ? said : `${root}/${said}`;
}
