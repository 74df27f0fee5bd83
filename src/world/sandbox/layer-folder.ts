/**
 * The folder on disk that holds a sandboxed program's layers while it runs. Its name says which process owns it, so
 * that leftovers of a killed process can be told from folders in use.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bytePath } from "../files/byte-path.ts";
import { nodeFolderTrees } from "../folders/node-folder-trees.ts";
import { processRow } from "../processes/process-table.ts";

const prefix = "cox-layer";

/** Throws the system's error when it cannot be made. */
export function makeLayerFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  clearLeftovers(root);
  return mkdtempSync(join(root, `${prefix}-${process.pid}-${processRow(process.pid)?.startTick ?? 0}-`));
}

/**
 * Removes a layer folder, including folders inside that nobody may read: they are unlocked first. What cannot be
 * removed is tried again later.
 */
export async function removeLayerFolder(path: string): Promise<void> {
  await nodeFolderTrees.remove(bytePath(path)).catch(() => {});
}

const cleared = new Set<string>();

/** Once per root, in the background: nobody waits for it. */
function clearLeftovers(root: string): void {
  if (cleared.has(root)) return;
  cleared.add(root);
  for (const name of readdirSync(root)) {
    if (isLeftover(root, name)) void removeLayerFolder(join(root, name));
  }
}

function isLeftover(root: string, name: string): boolean {
  const [, pid, startTick] = /^cox-layer-(\d+)-(\d+)-/.exec(name) ?? [];
  if (pid === undefined || lstatSync(join(root, name), { throwIfNoEntry: false })?.uid !== process.getuid?.())
    return false;
  return processRow(Number(pid))?.startTick !== Number(startTick);
}
