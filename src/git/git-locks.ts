/**
 * The lock files by which git, and whoever uses it, keeps others from an index or a branch. An editor that looks at the
 * state of files holds the index for a moment, and often; a git that was killed leaves its lock for ever.
 */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { pause } from "../world/pause.ts";
import type { Place } from "./place.ts";
import type { Head } from "./repository.ts";

interface LockWorld {
  readonly trees: FolderTrees;
  readonly place: Place;
}

/** Longer than an editor takes; shorter than somebody waits without wondering. */
const waitMs = 1500;
const lookEveryMs = 50;

/** One that would keep a landing on this branch from its end, and is still there after a while. */
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
    message: `${quote(path, 200)} is there: some git command, or an editor that uses git, is at work in your repository`,
    hint: `Wait until it is done, then: cox land. If no git runs here, one that was killed left it: rm ${quote(path, 200)}`,
  };
}

function shownPath({ root }: Place, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
