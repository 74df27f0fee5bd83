/** The content of a folder, without following links: two snapshots are equal if no byte, mode or name differs. */
import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Leaves out our own folder: a refused reply creates none, which is asserted separately. */
export function snapshot(root: string): Record<string, string> {
  const entries: Record<string, string> = {};
  walk(root, "", entries);
  return entries;
}

function walk(root: string, folder: string, entries: Record<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path === ".coxswain") continue;
    const mode = (lstatSync(join(root, path)).mode & 0o7777).toString(8);
    entries[path] = `${mode} ${told(entry, join(root, path))}`;
    if (entry.isDirectory()) walk(root, path, entries);
  }
}

function told(entry: Dirent, path: string): string {
  if (entry.isFile()) return `file ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  if (entry.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return entry.isDirectory() ? "folder" : "other";
}
