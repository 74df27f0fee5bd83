/**
 * How two trees differ, with the bytes of both sides.
 *
 * Bytes are git's, before any conversion for a checkout; modes are the two that git knows. A rename is a delete and a
 * create. Both questions go to a long-lived git process.
 */
import type { Change, Image } from "../change/change.ts";
import { canonicalPath, type TreePath } from "../change/path.ts";
import { assert } from "../std/assert.ts";
import type { TreeId } from "../std/object-id.ts";
import { quote } from "../std/printable.ts";
import { type BytePath, rawBytePath, textOfBytePath } from "../world/files/byte-path.ts";
import { sha256 } from "../world/files/hash.ts";
import type { GitCommand } from "./command/git-command.ts";
import type { TreeChanges } from "./repository.ts";

export async function treeChanges(git: GitCommand, from: TreeId, to: TreeId): Promise<TreeChanges> {
  return changesOf(git, await treeDifferences(git, from, to));
}

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

/**
 * For each pair of trees git prints `OID SP OID LF`, then for each difference `:MODE SP MODE SP OID SP OID SP LETTER NUL
 * PATH NUL`. A line that names no object is printed back at once, so it marks the end.
 */
export async function treeDifferences(
  git: GitCommand,
  from: TreeId,
  to: TreeId,
): Promise<TreeEntryDifference[]> {
  if (from === to) return [];
  const args = ["diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
  const output = await git.askOwn(args, `${from} ${to}\n${endLine}`, differencesLength);
  const rows = output.subarray(output.indexOf(lineFeed) + 1, output.length - endLine.length);
  const fields = rows.toString("latin1").split("\0");
  const differences: TreeEntryDifference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [preMode = "", postMode = "", preOid = "", postOid = ""] = (fields[at] ?? "").slice(1).split(" ");
    differences.push({
      path: treePath(rawBytePath(fields[at + 1] ?? "")),
      ...(preMode === absent ? {} : { pre: { mode: preMode, oid: preOid } }),
      ...(postMode === absent ? {} : { post: { mode: postMode, oid: postOid } }),
    });
  }
  return differences;
}

const endLine = "end\n";
const lineFeed = 10;
const colon = 58;

/** A path may contain the end line, so the rows are counted off one by one. */
function differencesLength(output: Buffer): number | undefined {
  let at = output.indexOf(lineFeed) + 1;
  if (at === 0) return undefined;
  while (output[at] === colon) {
    const path = output.indexOf(0, at) + 1;
    const end = path === 0 ? -1 : output.indexOf(0, path);
    if (end === -1) return undefined;
    at = end + 1;
  }
  return at < output.length ? at + endLine.length : undefined;
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

/** The contents of each, or an error if one is missing. */
async function readBlobs(git: GitCommand, oids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(oids)];
  const answers = await Promise.all(wanted.map((oid) => readBlob(git, oid)));
  return new Map(wanted.map((oid, at) => [oid, answers[at] ?? new Uint8Array()]));
}

/** Git prints `OID SP blob SP SIZE LF BYTES LF`, or `OID SP missing LF`. */
async function readBlob(git: GitCommand, oid: string): Promise<Uint8Array> {
  const output = await git.askOwn(["cat-file", "--batch-command"], `contents ${oid}\n`, contentLength);
  const head = headOf(output);
  if (head?.size === undefined) {
    throw Object.assign(new Error(`the object ${oid} is missing in the repository`), {
      code: "GIT_OBJECT_MISSING",
    });
  }
  return output.subarray(head.length, head.length + head.size);
}

function contentLength(output: Buffer): number | undefined {
  const head = headOf(output);
  return head && (head.size === undefined ? head.length : head.length + head.size + 1);
}

/** The first line of an answer; without a size if there is no such object. */
function headOf(output: Buffer): { readonly length: number; readonly size?: number } | undefined {
  const end = output.indexOf(lineFeed);
  if (end === -1) return undefined;
  const [, type, size] = output.toString("latin1", 0, end).split(" ");
  return { length: end + 1, ...(type === "missing" ? {} : { size: Number(size) }) };
}
