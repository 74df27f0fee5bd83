/** Ids of commits and trees that no git made, so that a test can call them `c1` and `merged`. */
import type { CommitId, TreeId } from "../../src/std/object-id.ts";

export function someCommit(name: string): CommitId {
  return name as CommitId;
}

export function someTree(name: string): TreeId {
  return name as TreeId;
}
