/**
 * Replies that wait for a person's approval, for doors that cannot ask anybody. They are stored in `.coxswain/waiting/`,
 * which git ignores, until somebody types `cox apply` with the file's name.
 */
import { replaceFile } from "../../durable/replace-file.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { tolerating } from "../../world/files/errno.ts";
import type { Files } from "../../world/files/files.ts";
import { sha256 } from "../../world/files/hash.ts";
import { Tree } from "../../world/folders/tree.ts";

const folderPath = ".coxswain/waiting";

/** Returns its path below the root. The same reply is stored once. */
export async function keepWaitingReply(files: Files, root: string, bytes: Uint8Array): Promise<string> {
  const tree = Tree.open(files, root);
  try {
    const name = `${sha256(bytes).slice(0, 8)}.json`;
    tree.make(".coxswain");
    tree.make(folderPath);
    await tree.withFolder(folderPath, async (folder) => {
      await replaceFile({ files, folder, name: ".gitignore", bytes: encodeUtf8("*\n") });
      await replaceFile({ files, folder, name, bytes });
      files.sync(folder);
    });
    return `${folderPath}/${name}`;
  } finally {
    tree.close();
  }
}

export interface WaitingReply {
  /** Path below the root. */
  readonly path: string;
  readonly bytes: number;
}

/** The replies stored before a time (milliseconds since 1970), by name. Other files there are left alone. */
export function oldWaitingReplies(files: Files, root: string, before: number): WaitingReply[] {
  return inFolder(files, root, (tree) => old(tree, before));
}

/** Returns what it removed. */
export function removeOldWaitingReplies(files: Files, root: string, before: number): WaitingReply[] {
  return inFolder(files, root, (tree) => {
    const replies = old(tree, before);
    for (const { path } of replies)
      tree.withParent(path, ({ folder, name }) => tolerating("ENOENT", () => files.unlink(folder, name)));
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
