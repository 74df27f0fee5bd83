/** What a model's reply mostly is: many small new files. Here the calls matter, not the bytes. */
import { fileSet } from "./file-set.ts";
import {
  bareBatch,
  eachAtomically,
  eachAtomicallyAtOnce,
  executor,
  fairness,
  gitApply,
  toolServer,
  toolServerAtOnce,
  writersOfNewFiles,
} from "./new-files.ts";
import type { Scratch } from "./scratch.ts";
import type { Workload } from "./workload.ts";

export function smallFiles(scratch: Scratch): Workload {
  return {
    name: "small-files",
    work: "1,000 new files of 2 KB in 20 new folders",
    fairness,
    contestants: writersOfNewFiles(
      fileSet({ count: 1000, bytes: 2000, folders: 20, salt: "small" }),
      scratch,
    ),
    comparisons: [
      { slow: executor, fast: bareBatch, target: { atMost: 1.5 } },
      { slow: eachAtomically, fast: executor, target: { atLeast: 3 } },
      { slow: eachAtomicallyAtOnce, fast: executor },
      { slow: toolServer, fast: executor, target: { atLeast: 5 } },
      { slow: toolServerAtOnce, fast: executor },
      { slow: gitApply, fast: executor },
    ],
  };
}
