/** The files of a reply while its operations run on them, and the net changes at the end. */
import type { Problem } from "../std/problem.ts";
import { type Change, type Contents, type Image, type Sha256, sameImage } from "./change.ts";
import { contentWarnings } from "./content-warnings.ts";
import type { TreePath } from "./path.ts";

export type StagedFiles = ReadonlyMap<TreePath, StagedFile>;

export interface StagedFile {
  readonly pre?: Image;
  readonly bytesBefore?: Uint8Array;
  bytes?: Uint8Array | undefined;
  sha256?: Sha256 | undefined;
  /** Index of the last operation that touched it. */
  touchedBy: number;
  /** No further operation runs on it: one failed, or awaits an editor. */
  isSettled: boolean;
}

/** One change per path, in the order of first touch; unchanged files are left out. */
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

/** An existing file keeps its mode, even if it is deleted and created again: the net effect is an edit. */
function imageOf(file: StagedFile, newFileMode: number): Image | undefined {
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
