/**
 * Removes what ended runs left behind: their desks, the refs that kept their objects, and idle desks that nobody needs.
 *
 * The branch `cox/RUN` stays: it is the result, and the user's to delete.
 */
import { type BytePath, bytePath, joinBytePath } from "../world/files/byte-path.ts";
import { tolerating } from "../world/files/errno.ts";
import type { FolderTrees, TreeEntry } from "../world/folders/folder-trees.ts";
import { breather } from "./breather.ts";
import { type CheckoutPaths, deskFolder } from "./command/checkout-paths.ts";
import type { GitCommand } from "./command/git-command.ts";
import { deletePins, pinnedRefs, runOfPin } from "./refs.ts";
import type { Garbage } from "./repository.ts";

interface GarbageWorld {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

/** Costs one git process. */
export async function findGarbage({ git, trees, place }: GarbageWorld): Promise<Garbage> {
  const desks: { run: string; name: string; bytes: number }[] = [];
  for (const run of namesIn(trees, place.desks)) {
    for (const name of namesIn(trees, `${place.desks}/${run}`))
      desks.push({ run, name, bytes: await bytesIn(trees, bytePath(deskFolder(place, run, name))) });
  }
  const refs = [...(await pinnedRefs(git)).keys()];
  const runs = new Set([
    ...foldersOfDesks(place).flatMap((above) => namesIn(trees, above)),
    ...refs.map(runOfPin),
  ]);
  return { runs: [...runs].sort(), desks, refs };
}

/**
 * Costs two git processes, or one if there is nothing to remove. Two callers may run at once: what is already gone does
 * not matter.
 */
export async function removeGarbage(world: GarbageWorld, runs: readonly string[]): Promise<Garbage> {
  const { trees, place } = world;
  const garbage = garbageOf(await findGarbage(world), runs);
  for (const run of garbage.runs) {
    // Renamed in one step, so that somebody taking an idle desk right now gets a whole one, or none.
    for (const above of foldersOfDesks(place)) await removeAside(trees, { above, run });
  }
  await deletePins(world.git, (ref) => garbage.runs.includes(runOfPin(ref)));
  return garbage;
}

/** The part that belongs to these runs. */
export function garbageOf({ runs, desks, refs }: Garbage, wanted: readonly string[]): Garbage {
  return {
    runs: runs.filter((run) => wanted.includes(run)),
    desks: desks.filter(({ run }) => wanted.includes(run)),
    refs: refs.filter((ref) => wanted.includes(runOfPin(ref))),
  };
}

/** The folders of the desks' files, and of what we know about the desks. */
function foldersOfDesks({ desks, home }: CheckoutPaths): string[] {
  return [desks, `${home}/desks`];
}

async function removeAside(
  trees: FolderTrees,
  { above, run }: { readonly above: string; readonly run: string },
): Promise<void> {
  // One that a killed process left counts as a run like any other, and is removed the next time.
  const aside = bytePath(`${above}/.removed-${process.pid}-${run}`);
  tolerating("ENOENT", () => trees.rename(bytePath(`${above}/${run}`), aside));
  await trees.remove(aside);
}

/** We chose these names, so they are plain ASCII. */
function namesIn(trees: FolderTrees, path: string): string[] {
  const at = bytePath(path);
  return entriesIn(trees, at).map(({ name }) => name);
}

async function bytesIn(trees: FolderTrees, path: BytePath): Promise<number> {
  const breathe = breather();
  const folders = [path];
  let bytes = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesIn(trees, at)) {
      await breathe();
      if (entry.kind === "folder") folders.push(joinBytePath(at, entry.name));
      else bytes += entry.size;
    }
  }
  return bytes;
}

/** Empty when the folder does not exist, or no longer does. */
function entriesIn(trees: FolderTrees, path: BytePath): TreeEntry[] {
  if (trees.look(path)?.kind !== "folder") return [];
  return tolerating("ENOENT", () => trees.list(path)) ?? [];
}
