/**
 * Replies that wait for a person's yes, for doors through which nobody can be asked: kept in `.coxswain/waiting/`, which
 * ignores itself, until somebody types `cox apply` with its name.
 */
import { replaceFile } from "../durable/replace-file.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { tolerating } from "../world/errno.ts";
import type { Files } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import { Tree } from "../world/tree.ts";

const folderPath = ".coxswain/waiting";

/** Answers with its path below the root. The same reply is kept once. */
export async function keepWaitingReply(files: Files, root: string, bytes: Uint8Array): Promise<string> {
  const tree = Tree.open(files, root);
  try {
    tree.make(".coxswain");
    const folder = tree.make(folderPath);
    await replaceFile({ files, folder, name: ".gitignore", bytes: encodeUtf8("*\n") });
    const name = `${sha256(bytes).slice(0, 8)}.json`;
    await replaceFile({ files, folder, name, bytes });
    files.sync(folder);
    return `${folderPath}/${name}`;
  } finally {
    tree.close();
  }
}

export interface WaitingReply {
  /** Below the root. */
  readonly path: string;
  readonly bytes: number;
}

/** Those that were kept before a time (milliseconds since 1970), by name. What is not ours there is let be. */
export function oldWaitingReplies(files: Files, root: string, before: number): WaitingReply[] {
  return inFolder(files, root, (tree) => old(tree, before));
}

/** Answers with what it removed. */
export function removeOldWaitingReplies(files: Files, root: string, before: number): WaitingReply[] {
  return inFolder(files, root, (tree) => {
    const replies = old(tree, before);
    for (const { path } of replies) {
      const place = tree.parent(path);
      if (place) tolerating("ENOENT", () => files.unlink(place.folder, place.name));
    }
    return replies;
  });
}

function old(tree: Tree, before: number): WaitingReply[] {
  return tree.list(folderPath).flatMap((name) => {
    if (!/^[0-9a-f]{8}\.json$/.test(name)) return [];
    const path = `${folderPath}/${name}`;
    const stat = tree.stat(path);
    const isOld = stat?.kind === "file" && stat.modified / 1_000_000n < BigInt(Math.floor(before));
    return isOld ? [{ path, bytes: stat.size }] : [];
  });
}

function inFolder<T>(files: Files, root: string, work: (tree: Tree) => T): T {
  const tree = Tree.open(files, root);
  try {
    return work(tree);
  } finally {
    tree.close();
  }
}
