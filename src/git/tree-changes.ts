/**
 * How two trees differ, with the bytes of both sides.
 *
 * Bytes are git's, before any conversion for a checkout; modes are the two that git knows. A rename is a delete and a
 * create. It costs two processes, or none when nothing differs.
 */
import type { Change, Image } from "../change/change.ts";
import { canonicalPath, type TreePath } from "../change/path.ts";
import { assert } from "../std/assert.ts";
import { quote } from "../std/printable.ts";
import { type BytePath, textOfBytePath } from "../world/files/byte-path.ts";
import { sha256 } from "../world/files/hash.ts";
import type { GitCommand } from "./command/git-command.ts";
import type { TreeChanges, TreeId } from "./repository.ts";

export async function treeChanges(git: GitCommand, from: TreeId, to: TreeId): Promise<TreeChanges> {
  return changesOf(git, await treeDifferences(git, from, to));
}

/** Costs one git process, or none without differences. */
export async function changesOf(
  git: GitCommand,
  differences: readonly TreeEntryDifference[],
): Promise<TreeChanges> {
  const blobs = await readBlobs(
    git,
    differences
      .flatMap(({ pre, post }) => [pre, post])
      .flatMap((side) => (side && side.mode !== submodule ? [side.oid] : [])),
  );
  const contents = new Map<string, Uint8Array>();
  const imageOf = (side: Side | undefined): Image | undefined => {
    const bytes = side && isRegular(side) ? blobs.get(side.oid) : undefined;
    if (!bytes) return undefined;
    const hash = sha256(bytes);
    contents.set(hash, bytes);
    return { sha256: hash, size: bytes.length, mode: side?.mode === "100755" ? 0o755 : 0o644 };
  };

  const changes: Change[] = [];
  const links: { path: string; target?: string }[] = [];
  for (const { path, pre, post } of differences) {
    const [before, after] = [imageOf(pre), imageOf(post)];
    if (before || after)
      changes.push({ path, ...(before ? { pre: before } : {}), ...(after ? { post: after } : {}) });
    const target = post?.mode === "120000" ? blobs.get(post.oid) : undefined;
    if (target) links.push({ path, target: Buffer.from(target).toString("utf8") });
    else if (pre?.mode === "120000") links.push({ path });
  }
  return { changes, links, bytes: bytesFrom(contents) };
}

/** Looks up the bytes of changes by their hash. */
export function bytesFrom(contents: ReadonlyMap<string, Uint8Array>): (hash: string) => Uint8Array {
  return (hash) => {
    const bytes = contents.get(hash);
    assert(bytes, `${hash} is the hash of one side of a change`);
    return bytes;
  };
}

export interface TreeEntryDifference {
  readonly path: TreePath;
  readonly pre?: Side;
  readonly post?: Side;
}

interface Side {
  readonly mode: string;
  readonly oid: string;
}

/** `:MODE SP MODE SP OID SP OID SP LETTER NUL PATH NUL`, for each. */
export async function treeDifferences(
  git: GitCommand,
  from: TreeId,
  to: TreeId,
): Promise<TreeEntryDifference[]> {
  if (from === to) return [];
  const { stdout } = await git.own([
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--no-renames",
    "--no-abbrev",
    from,
    to,
  ]);
  const fields = Buffer.from(stdout).toString("latin1").split("\0");
  const differences: TreeEntryDifference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [preMode = "", postMode = "", preOid = "", postOid = ""] = (fields[at] ?? "").slice(1).split(" ");
    differences.push({
      path: treePath(fields[at + 1] as BytePath),
      ...(preMode === absent ? {} : { pre: { mode: preMode, oid: preOid } }),
      ...(postMode === absent ? {} : { post: { mode: postMode, oid: postOid } }),
    });
  }
  return differences;
}

const absent = "000000";
const submodule = "160000";

export function isRegular(side: { readonly mode: string }): boolean {
  return side.mode.startsWith("100");
}

/** Captures accept no other paths, so the trees of a run differ in no others. */
function treePath(path: BytePath): TreePath {
  const text = textOfBytePath(path);
  const canonical = text === undefined ? undefined : canonicalPath(text, "/");
  if (canonical && "path" in canonical && canonical.path === text) return canonical.path;
  const message = `the trees differ in a path that is not supported, ${quote(text ?? path)}`;
  throw Object.assign(new Error(message), { code: "GIT_PATH" });
}

/** `OID SP blob SP SIZE LF BYTES LF`, for each. */
async function readBlobs(git: GitCommand, oids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(oids)];
  const blobs = new Map<string, Uint8Array>();
  if (wanted.length === 0) return blobs;
  const { stdout } = await git.own(["cat-file", "--batch"], { input: `${wanted.join("\n")}\n` });
  const output = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  let at = 0;
  for (const oid of wanted) {
    const end = output.indexOf(10, at);
    const [name, type, size] = output.toString("latin1", at, end).split(" ");
    if (name !== oid || type === "missing") {
      throw Object.assign(new Error(`the object ${oid} is missing in the repository`), {
        code: "GIT_OBJECT_MISSING",
      });
    }
    at = end + 1 + Number(size);
    blobs.set(oid, output.subarray(end + 1, at));
    at += 1;
  }
  return blobs;
}
