/** Files on their way through the operations of a reply, and what has become of them in the end. */
import type { Problem } from "../std/problem.ts";
import { type Change, type Contents, type Image, type Sha256, sameImage } from "./change.ts";
import { contentWarnings } from "./content-warnings.ts";
import type { TreePath } from "./path.ts";

export type StagedFiles = ReadonlyMap<TreePath, Staged>;

export interface Staged {
  readonly pre?: Image;
  readonly bytesBefore?: Uint8Array;
  bytes?: Uint8Array | undefined;
  sha256?: Sha256 | undefined;
  /** The last operation that touched it. */
  touchedBy: number;
  /** Nothing more can be said about it: an operation went wrong, or awaits an editor. */
  isSettled: boolean;
}

/** One change for each path, in the order in which they were first touched, and none for what stays as it was. */
export function netEffect(files: StagedFiles, newFileMode: number): Change[] {
  const changes: Change[] = [];
  for (const [path, file] of files) {
    if (file.isSettled) continue;
    const post = imageOf(file, newFileMode);
    if (sameImage(file.pre, post)) continue;
    changes.push({ path, ...(file.pre ? { pre: file.pre } : {}), ...(post ? { post } : {}) });
  }
  return changes;
}

/** A file that was there keeps its mode, also when it is deleted and created again: on balance it is edited. */
function imageOf(file: Staged, newFileMode: number): Image | undefined {
  if (!file.bytes || !file.sha256) return undefined;
  return { sha256: file.sha256, size: file.bytes.length, mode: file.pre?.mode ?? newFileMode };
}

/** The bytes of every post image. */
export function contentsOf(changes: readonly Change[], files: StagedFiles): Contents {
  const contents = new Map<Sha256, Uint8Array>();
  for (const { path, post } of changes) {
    const bytes = files.get(path)?.bytes;
    if (post && bytes) contents.set(post.sha256, bytes);
  }
  return contents;
}

export function warningsOf({ path }: Change, files: StagedFiles): Problem[] {
  const file = files.get(path);
  if (!file?.bytes) return [];
  const index = file.touchedBy;
  return contentWarnings(file.bytesBefore, file.bytes).map((warning) => ({ ...warning, index, path }));
}
