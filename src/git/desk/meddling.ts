/**
 * What an agent did to its desk's git directory, found by comparing bytes and names with what we put there. Our git
 * never reads it again, so none of it has any effect, but a person may want to know.
 */
import { bytePath } from "../../world/files/byte-path.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";

export interface Meddled {
  readonly code: string;
  readonly message: string;
}

/** Records what was put there: a line for HEAD, a line for the configuration's hash. */
export function madeText({ head, config }: { head: string; config: string }): string {
  return `${head.trim()}\n${sha256(config)}\n`;
}

/** `made` is the file with the output of `madeText`. Costs no git process. */
export function meddling(trees: FolderTrees, desk: string, made: string): Meddled[] {
  const own = `${desk}/.git`;
  const expected = readSmall(trees, made);
  if (expected === undefined) return [];
  if (trees.look(bytePath(own))?.kind !== "folder") return [gone];
  const [head = "", config = ""] = expected.split("\n");
  const isMoved = readSmall(trees, `${own}/HEAD`)?.trim() !== head;
  const configured = readSmall(trees, `${own}/config`);
  const isConfigured = configured === undefined || sha256(configured) !== config;
  return [
    ...(isMoved ? [moved] : []),
    ...(isConfigured ? [reconfigured] : []),
    ...(hasNames(trees, `${own}/hooks`) ? [hooked] : []),
    ...(hasRefs(trees, own) ? [branched] : []),
  ];
}

const gone = meddled("WS_GIT_GONE", "the git directory of the desk was removed");
const moved = meddled(
  "WS_HEAD_MOVED",
  "HEAD of the desk was moved; commits made there are not used, its files are",
);
const reconfigured = meddled(
  "WS_GIT_CONFIG",
  "the git configuration of the desk was changed; it is not used",
);
const hooked = meddled("WS_GIT_HOOKS", "hooks were put into the git directory of the desk; they are not run");
const branched = meddled(
  "WS_GIT_REFS",
  "branches, tags or a stash were created at the desk; they are not used",
);

function meddled(code: string, message: string): Meddled {
  return { code, message };
}

/** A HEAD and a configuration are short; anything longer is neither. */
const bytesMax = 1 << 16;

function readSmall(trees: FolderTrees, path: string): string | undefined {
  const found = trees.look(bytePath(path));
  if (found?.kind !== "file" || found.size > bytesMax) return undefined;
  return new TextDecoder().decode(trees.read(bytePath(path)));
}

/** We create `refs/heads` and leave it empty. */
function hasRefs(trees: FolderTrees, own: string): boolean {
  if (trees.look(bytePath(`${own}/packed-refs`))) return true;
  const others = namesIn(trees, `${own}/refs`).filter((name) => name !== "heads");
  return (
    others.some((name) => hasNames(trees, `${own}/refs/${name}`)) || hasNames(trees, `${own}/refs/heads`)
  );
}

/** A file in its place counts, too. */
function hasNames(trees: FolderTrees, path: string): boolean {
  const found = trees.look(bytePath(path));
  return found !== undefined && (found.kind !== "folder" || namesIn(trees, path).length > 0);
}

function namesIn(trees: FolderTrees, path: string): string[] {
  return trees.look(bytePath(path))?.kind === "folder"
    ? trees.list(bytePath(path)).map(({ name }) => name)
    : [];
}
