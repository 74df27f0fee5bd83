/** Landing in memory: the same answers, computed on whole files and without an index. */
import {
  conflict,
  dirty,
  inTheWay,
  links,
  onRunsBranch,
  unrelated,
} from "../../src/git/landing/landing-refusal.ts";
import type { Head, LandingPlan } from "../../src/git/repository.ts";
import type { CommitId } from "../../src/std/object-id.ts";
import { mergeFiles } from "./memory-merge.ts";
import { changesBetween, type MemoryFiles, type MemoryObjects, sameFile } from "./memory-objects.ts";

export interface MemoryLanding {
  readonly objects: MemoryObjects;
  readonly from: Head;
  readonly checkout: MemoryFiles;
  readonly tip: CommitId;
  /** The name that a person would type to merge it. */
  readonly what: string;
}

export function planMemoryLanding({ objects, from, checkout, tip, what }: MemoryLanding): LandingPlan {
  if (from.branch?.startsWith("cox/")) return onRunsBranch(from.branch);
  const filesOf = (commit: CommitId) => objects.tree(objects.commit(commit).tree);
  const before = new Set(objects.history(from.commit));
  if (before.has(tip)) return { kind: "already" };

  const history = [...objects.history(tip)];
  const isFastForward = history.includes(from.commit);
  const base = history.find((commit) => before.has(commit));
  if (base === undefined) return unrelated(what);
  const merged = mergeFiles({ base: filesOf(base), ours: filesOf(from.commit), theirs: filesOf(tip) });
  if (merged.conflicts.length > 0) return conflict(merged.conflicts, what);

  const head = filesOf(from.commit);
  const changes = changesBetween(head, merged.files);
  if (changes.links.length > 0)
    return links(
      changes.links.map(({ path }) => path),
      what,
    );
  const touched = changes.changes.map(({ path }) => path);
  const changed = touched.filter((path) => head.has(path) && !sameFile(head.get(path), checkout.get(path)));
  if (changed.length > 0) return dirty(changed);
  const blocked = touched.filter((path) => !head.has(path) && checkout.has(path));
  if (blocked.length > 0) return inTheWay(blocked);
  return {
    kind: "possible",
    how: isFastForward ? "fast-forward" : "merge",
    from,
    tree: objects.putTree(merged.files),
    parents: isFastForward ? [] : [from.commit, tip],
    files: changes,
    bypassed: { signature: false, hooks: [] },
  };
}
