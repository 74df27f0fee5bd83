/**
 * Compares a folder with an earlier snapshot: the topmost paths that are new, and whether everything that was there is
 * still there unchanged.
 *
 * A top-level `.git` is skipped: it is not part of the checkout.
 */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** For each path in the folder, a stamp that changes when the path is written to. */
export type FolderLook = ReadonlyMap<string, string>;

export interface FolderChanges {
  /** No path is inside another. */
  readonly appeared: readonly string[];
  /** Something that was there is gone or was written to. */
  readonly hasOthers: boolean;
}

export async function lookAtFolder(folder: string): Promise<FolderLook> {
  const look = new Map<string, string>();
  await walk(folder, "", async (path, entry) => {
    look.set(path, await stampOf(folder, path, entry));
    return true;
  });
  return look;
}

export async function folderChanges(folder: string, before: FolderLook): Promise<FolderChanges> {
  const appeared: string[] = [];
  let same = 0;
  await walk(folder, "", async (path, entry) => {
    const stamp = before.get(path);
    if (stamp === undefined) appeared.push(path);
    else if (stamp === (await stampOf(folder, path, entry))) same++;
    return stamp !== undefined;
  });
  return { appeared: appeared.sort(), hasOthers: same !== before.size };
}

/** Enters a folder when `visit` returns true for it. */
async function walk(
  root: string,
  at: string,
  visit: (path: string, entry: Dirent) => Promise<boolean>,
): Promise<void> {
  for (const entry of await readdir(join(root, at), { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (path === ".git") continue;
    if ((await visit(path, entry)) && entry.isDirectory()) await walk(root, path, visit);
  }
}

/** A folder's own times change with its contents, which are compared separately. */
async function stampOf(root: string, path: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return "folder";
  const { ino, size, mode, mtimeNs } = await lstat(join(root, path), { bigint: true });
  return `${ino} ${size} ${mode} ${mtimeNs}`;
}
