/**
 * What is new in a folder since it was looked at, as the topmost paths that were not there; and whether everything
 * that was there still is, as it was.
 *
 * A top-level `.git` is not looked into: it is no part of the checkout.
 */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** For each path in a folder what tells whether it was written to. */
export type FolderLook = ReadonlyMap<string, string>;

export interface FolderChanges {
  /** None lies in another. */
  readonly appeared: readonly string[];
  /** Something that was there is gone, or was written to. */
  readonly hasOthers: boolean;
}

export async function lookAt(folder: string): Promise<FolderLook> {
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

/** Enters a folder when its visit says so. */
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

/** A folder's own times change with what is in it, which is looked at by itself. */
async function stampOf(root: string, path: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return "folder";
  const { ino, size, mode, mtimeNs } = await lstat(join(root, path), { bigint: true });
  return `${ino} ${size} ${mode} ${mtimeNs}`;
}
