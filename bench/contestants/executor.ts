/**
 * What `cox apply` does once a reply is understood: hash the contents, open the root (which takes the lock), apply one
 * changeset, fully durable and read back, and close.
 */
import type { Change, Sha256 } from "../../src/change/change.ts";
import { defaultMode } from "../../src/change/change.ts";
import type { TreePath } from "../../src/change/path.ts";
import { Changesets } from "../../src/changeset/changesets.ts";
import { assert } from "../../src/std/assert.ts";
import { sha256 } from "../../src/world/files/hash.ts";
import { nodeFiles } from "../../src/world/files/node-files.ts";
import type { FileSet } from "../file-set.ts";

/** `before` holds the present files in the same order. Without it, all files are new. */
export async function applyWithExecutor(root: string, after: FileSet, before?: FileSet): Promise<void> {
  const contents = new Map<Sha256, Uint8Array>();
  const imageOf = (bytes: Uint8Array) => {
    const hash = sha256(bytes);
    contents.set(hash, bytes);
    return { sha256: hash, size: bytes.length, mode: defaultMode };
  };
  const changes = after.files.map(({ path, bytes }, number): Change => {
    const old = before?.files[number];
    return { path: path as TreePath, post: imageOf(bytes), ...(old && { pre: imageOf(old.bytes) }) };
  });
  const operation = before ? "edit" : "create";
  const operations = changes.map(({ path, post }, index) => ({
    index,
    operation: operation as "edit" | "create",
    path,
    description: "Part of the bench",
    ...(post && { bytes: post.size, sha256: post.sha256 }),
  }));
  const changesets = await Changesets.open({
    files: nodeFiles(),
    root,
    clock: { now: Date.now },
    chance: { id: () => "bench" },
  });
  const id = changesets.newId();
  const outcome = await changesets.apply({ id, changes, contents, about: { operations } });
  changesets.close();
  assert(outcome.outcome === "applied", "the changeset was applied");
}
