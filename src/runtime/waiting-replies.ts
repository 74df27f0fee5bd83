/**
 * Replies that wait for a person's yes, for doors through which nobody can be asked: kept in `.coxswain/waiting/`, which
 * ignores itself, until somebody types `cox apply` with its name.
 */
import { replaceFile } from "../durable/replace-file.ts";
import { encodeUtf8 } from "../std/utf8.ts";
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
