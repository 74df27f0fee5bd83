/**
 * Removes what ended runs left: their desks, the refs that kept their objects, and desks that wait for nobody.
 *
 * The branch `cox/RUN` stays: it is the result, and the user's to delete.
 */
import { type BytePath, bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { breather } from "./breather.ts";
import type { GitCommand } from "./git-command.ts";
import { deskFolder, deskState, type Place } from "./place.ts";
import { deleteRefs, pinnedRefs } from "./refs.ts";
import type { Garbage } from "./repository.ts";

/** One or two processes. */
export async function collectGarbage(
  { git, trees, place }: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: Place },
  { runs, dryRun }: { readonly runs: readonly string[]; readonly dryRun: boolean },
): Promise<Garbage> {
  const kept = new Set(runs);
  const desks: { run: string; name: string; bytes: number }[] = [];
  for (const run of namesIn(trees, place.desks)) {
    if (kept.has(run)) continue;
    for (const name of namesIn(trees, `${place.desks}/${run}`)) {
      desks.push({ run, name, bytes: await bytesIn(trees, bytePath(deskFolder(place, run, name))) });
    }
  }
  const refs = new Map([...(await pinnedRefs(git))].filter(([ref]) => !kept.has(ref.split("/")[2] ?? "")));
  const garbage = { desks, refs: [...refs.keys()] };
  if (dryRun) return garbage;

  for (const { run, name } of desks) {
    await trees.remove(bytePath(deskState(place, run, name)));
    await trees.remove(bytePath(deskFolder(place, run, name)));
  }
  for (const above of [place.desks, `${place.home}/desks`]) {
    for (const run of namesIn(trees, above))
      if (!kept.has(run)) await trees.remove(bytePath(`${above}/${run}`));
  }
  await deleteRefs(git, refs);
  return garbage;
}

/** Names that we gave: plain ASCII. */
function namesIn(trees: FolderTrees, path: string): string[] {
  const at = bytePath(path);
  return trees.look(at)?.kind === "folder" ? trees.list(at).map(({ name }) => name) : [];
}

async function bytesIn(trees: FolderTrees, path: BytePath): Promise<number> {
  const breathe = breather();
  const folders = [path];
  let bytes = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if (trees.look(at)?.kind !== "folder") continue;
    for (const entry of trees.list(at)) {
      await breathe();
      if (entry.kind === "folder") folders.push(`${at}/${entry.name}` as BytePath);
      else bytes += entry.size;
    }
  }
  return bytes;
}
