/** Writes a commit object, the same bytes for the same facts, so that whoever repeats it gets the same commit. */
import { assert } from "../std/assert.ts";
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import type { GitCommand } from "./git-command.ts";
import type { Place } from "./place.ts";
import type { Commit, CommitFacts } from "./repository.ts";

/** One process. */
export async function seal(
  { git, trees, place }: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: Place },
  facts: CommitFacts,
): Promise<Commit> {
  const input = commitText(facts);
  const { stdout } = await git.own(["hash-object", "-t", "commit", "-w", "--stdin"], { input });
  const commit = Buffer.from(stdout).toString("utf8").trim() as Commit;
  // git syncs the file and not its folder. On a journalling file system this makes every name given before durable
  // as well: those of the tree and its files.
  const folder = bytePath(`${place.objects}/${commit.slice(0, 2)}`);
  if (trees.look(folder)) trees.syncFolder(folder);
  return commit;
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

/** git keeps no such characters in a name, and a line end would begin another header. */
function identity(text: string): string {
  return text.replace(/[<>\0\r\n]/g, " ").trim() || "unknown";
}
