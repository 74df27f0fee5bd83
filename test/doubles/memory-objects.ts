/** Trees and commits in memory, named by the hash of what they hold. Bytes stored here never change. */

import type { Change, Image, Sha256 } from "../../src/change/change.ts";
import type { TreePath } from "../../src/change/path.ts";
import type { CommitFacts, TreeChanges } from "../../src/git/repository.ts";
import { bytesFrom } from "../../src/git/tree-changes.ts";
import { assert } from "../../src/std/assert.ts";
import { type CommitId, commitId, type TreeId, treeId } from "../../src/std/object-id.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { sha256 } from "../../src/world/files/hash.ts";

export interface MemoryBlob {
  readonly bytes: Uint8Array;
  readonly mode: 0o644 | 0o755 | typeof linkMode;
}

/** A link; its bytes are its target. */
export const linkMode = 0o120000;

export type MemoryFiles = ReadonlyMap<string, MemoryBlob>;

export class MemoryObjects {
  readonly #trees = new Map<TreeId, MemoryFiles>();
  readonly #commits = new Map<CommitId, CommitFacts>();

  putTree(files: MemoryFiles): TreeId {
    const rows = [...files].map(([path, file]) => `${file.mode} ${hashOf(file.bytes)} ${path}\n`).sort();
    const id = treeId(sha256(`tree\n${rows.join("")}`).slice(0, 40));
    if (!this.#trees.has(id)) this.#trees.set(id, new Map(files));
    return id;
  }

  tree(id: TreeId): MemoryFiles {
    const files = this.#trees.get(id);
    assert(files, `the tree ${id} is there`);
    return files;
  }

  putCommit(facts: CommitFacts): CommitId {
    const { tree, parents, message, author, time } = facts;
    const text = JSON.stringify([tree, parents, message, author.name, author.email, time]);
    const id = commitId(sha256(`commit\n${text}`).slice(0, 40));
    this.#commits.set(id, facts);
    return id;
  }

  commit(id: CommitId): CommitFacts {
    const facts = this.#commits.get(id);
    assert(facts, `the commit ${id} is there`);
    return facts;
  }

  /** The commit and all its ancestors, roughly newest first. */
  *history(of: CommitId): Iterable<CommitId> {
    const seen = new Set([of]);
    for (const commit of seen) {
      yield commit;
      for (const parent of this.commit(commit).parents) seen.add(parent);
    }
  }

  changes(from: TreeId, to: TreeId): TreeChanges {
    return changesBetween(this.tree(from), this.tree(to));
  }
}

export function changesBetween(from: MemoryFiles, to: MemoryFiles): TreeChanges {
  const contents = new Map<string, Uint8Array>();
  const changes: Change[] = [];
  const links: { path: string; target?: string }[] = [];
  const imageOf = (file: MemoryBlob | undefined): Image | undefined => {
    if (!file || file.mode === linkMode) return undefined;
    const hash = hashOf(file.bytes);
    contents.set(hash, file.bytes);
    return { sha256: hash, size: file.bytes.length, mode: file.mode };
  };
  for (const path of [...new Set([...from.keys(), ...to.keys()])].sort()) {
    const [old, now] = [from.get(path), to.get(path)];
    if (sameFile(old, now)) continue;
    const [pre, post] = [imageOf(old), imageOf(now)];
    if (pre || post)
      changes.push({ path: path as TreePath, ...(pre ? { pre } : {}), ...(post ? { post } : {}) });
    if (now?.mode === linkMode) links.push({ path, target: decodeUtf8(now.bytes) });
    else if (old?.mode === linkMode) links.push({ path });
  }
  return { changes, links, bytes: bytesFrom(contents) };
}

export function sameFile(one: MemoryBlob | undefined, other: MemoryBlob | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.mode !== other.mode) return false;
  return one.bytes === other.bytes || hashOf(one.bytes) === hashOf(other.bytes);
}

/** Cached, because a simulation asks for the same bytes thousands of times. */
const hashes = new WeakMap<Uint8Array, Sha256>();

function hashOf(bytes: Uint8Array): Sha256 {
  const known = hashes.get(bytes);
  if (known) return known;
  const hash = sha256(bytes);
  hashes.set(bytes, hash);
  return hash;
}
