/** The files that a landing changes: as they are in the user's checkout, and as they will be. */
import type { Change, Image } from "../../change/change.ts";
import { assert } from "../../std/assert.ts";
import type { TreeId } from "../../std/object-id.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import { type GitCommand, linesOf } from "../command/git-command.ts";
import type { TreeChanges } from "../repository.ts";
import { bytesFrom, type TreeEntryDifference } from "../tree-changes.ts";

interface Wanted {
  readonly tree: TreeId;
  /** Regular files only, none with uncommitted changes that git knows of. */
  readonly differences: readonly TreeEntryDifference[];
}

/** Costs three git processes, or two when all files are new. */
export async function landingFiles(
  world: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: CheckoutPaths },
  { tree, differences }: Wanted,
): Promise<TreeChanges | { readonly dirty: readonly string[] }> {
  const { trees, place } = world;
  const dirty = await hiddenChanges(world, differences);
  if (dirty.length > 0) return { dirty };

  const contents = new Map<string, Uint8Array>();
  const image = (bytes: Uint8Array, mode: number): Image => {
    const hash = sha256(bytes);
    contents.set(hash, bytes);
    return { sha256: hash, size: bytes.length, mode };
  };
  const fromDisk = (folder: string, path: string): Image => {
    const at = bytePath(`${folder}/${path}`);
    const found = trees.look(at);
    assert(found?.kind === "file", `${at} is a file`);
    return image(trees.read(at), found.mode & 0o777);
  };

  const scratch = scratchFolder(place);
  await checkOut(world, {
    tree,
    scratch,
    paths: differences.flatMap(({ path, post }) => (post ? [path] : [])),
  });
  const changes = differences.map(({ path, pre, post }): Change => {
    const before = pre && fromDisk(place.root, path);
    const made = post && fromDisk(scratch, path);
    // The user decides who may read a file; git decides only the x bit.
    const after = made && (before ? { ...made, mode: modeLike(before.mode, post.mode === "100755") } : made);
    return { path, ...(before ? { pre: before } : {}), ...(after ? { post: after } : {}) };
  });
  await trees.remove(bytePath(scratch));
  await trees.remove(bytePath(`${scratch}.index`));
  return { changes, links: [], bytes: bytesFrom(contents) };
}

/**
 * Files that differ from HEAD although git calls them unchanged: `update-index --assume-unchanged` and the like make
 * git look away, and we must not overwrite what it does not see.
 */
async function hiddenChanges(
  {
    git,
    trees,
    place,
  }: { readonly git: GitCommand; readonly trees: FolderTrees; readonly place: CheckoutPaths },
  differences: readonly TreeEntryDifference[],
): Promise<string[]> {
  const tracked = differences.flatMap(({ path, pre }) => (pre ? [{ path, oid: pre.oid }] : []));
  const isFile = ({ path }: { path: string }) =>
    trees.look(bytePath(`${place.root}/${path}`))?.kind === "file";
  const files = tracked.filter(isFile);
  const found = files.length === 0 ? [] : await idsOf(git, files);
  const changed = files.filter(({ oid }, at) => found[at] !== oid);
  return [...tracked.filter((one) => !isFile(one)), ...changed].map(({ path }) => path);
}

/** The object ids that the files would get if added now. */
async function idsOf(git: GitCommand, files: readonly { readonly path: string }[]): Promise<string[]> {
  const input = files.map(({ path }) => `${path}\n`).join("");
  return linesOf((await git.user(["hash-object", "--stdin-paths"], { input })).stdout);
}

/** Uses an index of the whole tree, so that the tree's own .gitattributes apply. */
async function checkOut(
  { git, trees }: { readonly git: GitCommand; readonly trees: FolderTrees },
  {
    tree,
    scratch,
    paths,
  }: { readonly tree: TreeId; readonly scratch: string; readonly paths: readonly string[] },
): Promise<void> {
  await trees.remove(bytePath(scratch));
  await trees.remove(bytePath(`${scratch}.index`));
  await trees.remove(bytePath(`${scratch}.index.lock`));
  trees.makeFolder(bytePath(scratch));
  const at = { index: `${scratch}.index`, workTree: scratch };
  await git.own(["read-tree", tree], at);
  const input = paths.map((path) => `${path}\0`).join("");
  await git.own(["checkout-index", "-z", "--stdin"], { ...at, input });
}

/**
 * One scratch folder per checkout. Only one landing at a time looks at a checkout (`land-alone.ts`), and the next one
 * clears what a killed one left. Worktrees of one repository share our home, and may land at the same time.
 */
function scratchFolder({ home, root }: CheckoutPaths): string {
  return `${home}/scratch/${sha256(root).slice(0, 16)}`;
}

function modeLike(mode: number, isExecutable: boolean): number {
  if (!isExecutable) return mode & ~0o111;
  return mode | ((mode & 0o444) >> 2);
}
