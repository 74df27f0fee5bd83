/**
 * Git's names for a commit and for a tree. A text becomes one of them only here, where git has just printed it; ids in
 * the log were written by us and arrive as part of their event, whose checksum was compared. Nobody casts.
 */
import { assert } from "./assert.ts";

export type CommitId = string & { readonly __brand: "CommitId" };
export type TreeId = string & { readonly __brand: "TreeId" };

export function commitId(text: string): CommitId {
  assert(isObjectId(text), "git names a commit by its hash");
  return text as CommitId;
}

export function treeId(text: string): TreeId {
  assert(isObjectId(text), "git names a tree by its hash");
  return text as TreeId;
}

/** 40 digits in a repository of SHA-1, 64 in one of SHA-256. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** Of a run that has not begun. */
export const noCommit = "" as CommitId;
export const noTree = "" as TreeId;
