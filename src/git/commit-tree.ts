/** Writes a commit object. The same facts give the same bytes, so repeating it gives the same commit. */
import { assert } from "../std/assert.ts";
import { type CommitId, commitId } from "../std/object-id.ts";
import { bytePath } from "../world/files/byte-path.ts";
import { sha256 } from "../world/files/hash.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "./command/checkout-paths.ts";
import type { GitCommand } from "./command/git-command.ts";
import type { CommitFacts } from "./repository.ts";

/** Asks the long-lived git process, which reads the text from a file. */
export async function commitTree(
  {
    git,
    trees,
    place,
  }: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: CheckoutPaths },
  facts: CommitFacts,
): Promise<CommitId> {
  const text = commitText(facts);
  const path = bytePath(`${place.home}/scratch/commit-${sha256(text)}`);
  trees.write(path, text);
  const args = ["hash-object", "-t", "commit", "-w", "--no-filters", "--stdin-paths"];
  const answer = await git.askOwn(args, `${path}\n`, lineLength);
  await trees.remove(path);
  const commit = commitId(answer.toString("utf8").trim());
  // Git syncs the file but not its folder. On a journalling file system, this also makes every earlier name durable:
  // those of the tree and its files.
  const folder = bytePath(`${place.objects}/${commit.slice(0, 2)}`);
  if (trees.look(folder)) trees.syncFolder(folder);
  return commit;
}

function lineLength(output: Buffer): number | undefined {
  const end = output.indexOf("\n");
  return end === -1 ? undefined : end + 1;
}

function commitText({ tree, parents, message, author, time }: CommitFacts): string {
  assert(Number.isSafeInteger(time) && time >= 0, "a commit's time is whole seconds since 1970");
  const who = `${identity(author.name)} <${identity(author.email)}> ${time} +0000`;
  const head = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
  ];
  const text = message.replaceAll("\0", "").replace(/\n*$/, "\n");
  return `${head.join("\n")}\n\n${text}`;
}

/** Git allows no such characters in a name, and a line break would start another header. */
function identity(text: string): string {
  return text.replace(/[<>\0\r\n]/g, " ").trim() || "unknown";
}
