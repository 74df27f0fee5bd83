/**
 * The lock files with which git, and tools that use it, protect an index or a branch. An editor that checks the state
 * of files locks the index briefly and often; a killed git leaves its lock behind for ever.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import { pause } from "../../world/time/pause.ts";
import type { Head } from "../repository.ts";
import type { CheckoutPaths } from "./checkout-paths.ts";

interface LockWorld {
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

/** Longer than an editor needs; shorter than a person waits without wondering. */
const waitMs = 1500;
const lookEveryMs = 50;

/** A lock that would stop a landing on this branch and is still there after a while. */
export async function heldLock(
  world: LockWorld,
  { branch }: Pick<Head, "branch">,
): Promise<string | undefined> {
  const { trees, place } = world;
  const paths = [
    `${place.gitDir}/index.lock`,
    `${place.gitDir}/HEAD.lock`,
    ...(branch === undefined ? [] : [`${place.commonDir}/refs/heads/${branch}.lock`]),
  ];
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const held = paths.find((path) => trees.look(bytePath(path)));
    if (held === undefined || waitedMs >= waitMs) return held && shownPath(place, held);
    await pause(lookEveryMs);
  }
}

export function lockedProblem(path: string): Problem {
  return {
    code: "GIT_INDEX_LOCKED",
    message: `${quote(path, 200)} exists: a git command, or an editor that uses git, is working in your repository`,
    hint: `Wait until it is done, then: cox land. If no git runs here, a killed one left it behind: rm ${quote(path, 200)}`,
  };
}

function shownPath({ root }: CheckoutPaths, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
