/** A few files with many bytes: here writing, hashing and reading back matter, not the calls. */
import { fileSet } from "./file-set.ts";
import {
  bareBatch,
  eachAtomically,
  executor,
  fairness,
  gitApply,
  toolServer,
  writersOfNewFiles,
} from "./new-files.ts";
import type { Scratch } from "./scratch.ts";
import type { Workload } from "./workload.ts";

export function largeFiles(scratch: Scratch): Workload {
  return {
    name: "large-files",
    work: "10 new files of 5 MB in 2 new folders",
    fairness,
    contestants: writersOfNewFiles(
      fileSet({ count: 10, bytes: 5_000_000, folders: 2, salt: "large" }),
      scratch,
    ),
    comparisons: [
      { slow: executor, fast: bareBatch, target: { atMost: 2.5 } },
      { slow: eachAtomically, fast: executor },
      { slow: toolServer, fast: executor },
      { slow: gitApply, fast: executor },
    ],
  };
}
