/** Edits of existing files: their previous contents are checked, and kept for an undo. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBareBatch } from "./contestants/bare-batch.ts";
import { applyWithExecutor } from "./contestants/executor.ts";
import { assertWritten, fileSet, makeFolders } from "./file-set.ts";
import { bareBatch, executor } from "./new-files.ts";
import type { Scratch } from "./scratch.ts";
import type { Contestant, Workload } from "./workload.ts";

export function edits(scratch: Scratch): Workload {
  const size = { count: 1000, bytes: 2000, folders: 20 };
  const before = fileSet({ ...size, salt: "before" });
  const after = fileSet({ ...size, salt: "after" });
  return {
    name: "edits",
    work: "1,000 files of 2 KB in 20 folders replaced by others of the same size",
    fairness: [
      `${executor}: as above, and each file is compared with what the change was made against, its bytes are kept, and it is looked at again right before it is replaced.`,
      `${bareBatch}: as above, by renames over the old files. What was in them is gone.`,
    ],
    contestants: [
      editor(executor, (root) => applyWithExecutor(root, after, before)),
      editor(bareBatch, (root) => writeBareBatch(root, after)),
    ],
    comparisons: [{ slow: executor, fast: bareBatch }],
  };

  function editor(name: string, edit: (root: string) => Promise<void>): Contestant {
    return {
      name,
      prepare: () => {
        const root = scratch.fresh("root");
        makeFolders(root, before);
        for (const { path, bytes } of before.files) writeFileSync(join(root, path), bytes);
        return { go: () => edit(root), end: () => assertWritten(root, after) };
      },
    };
  }
}
