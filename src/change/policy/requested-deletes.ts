/**
 * The files that changes would delete, as recorded in a log: a limited number by name, the first few with a preview.
 */
import type { Change, Sha256 } from "../change.ts";
import type { TreePath } from "../path.ts";
import { type DeletePreview, deletePreview } from "./delete-preview.ts";
import { protectedPath } from "./protected.ts";
import { secretPath } from "./secret-paths.ts";

/** A longer record would be more than anybody reads: 20 previews are 64 KB at most. */
const namedMax = 100;
const previewedMax = 20;

export interface RequestedDelete extends DeletePreview {
  readonly path: TreePath;
  readonly bytes: number;
  readonly sha256: Sha256;
}

export function requestedDeletes(
  changes: readonly Change[],
  before: (path: TreePath) => Uint8Array | undefined,
): { readonly files: readonly RequestedDelete[]; readonly total: number } {
  const gone = changes.flatMap(({ path, pre, post }) => (pre && !post ? [{ path, pre }] : []));
  const files = gone.slice(0, namedMax).map(({ path, pre }, at) => {
    const isShown = at < previewedMax && !secretPath(path) && !protectedPath(path);
    const bytes = isShown ? before(path) : undefined;
    return { path, bytes: pre.size, sha256: pre.sha256, ...(bytes && deletePreview(bytes)) };
  });
  return { files, total: gone.length };
}
