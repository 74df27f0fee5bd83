/** The contestants for creating new files, and the notes on the comparison: the same for small and large files. */
import { join } from "node:path";
import { writeBareBatch } from "./contestants/bare-batch.ts";
import { writeEachAtomically } from "./contestants/each-atomically.ts";
import { applyWithExecutor } from "./contestants/executor.ts";
import { applyPatch, writePatch } from "./contestants/git-apply.ts";
import { ToolServer } from "./contestants/tool-server.ts";
import { assertWritten, type FileSet, makeFolders } from "./file-set.ts";
import type { Scratch } from "./scratch.ts";
import type { Contestant } from "./workload.ts";

export const executor = "executor";
export const bareBatch = "bare batch";
export const eachAtomically = "write-file-atomic";
export const eachAtomicallyAtOnce = "write-file-atomic, 16 at a time";
export const toolServer = "MCP filesystem server";
export const toolServerAtOnce = "MCP filesystem server, 16 at a time";
export const gitApply = "git apply, sync -f";

export const fairness = [
  "All contents are in memory beforehand, as a patch on disk for git. Every contestant begins with an empty folder; afterwards each file is compared byte by byte, which is not measured.",
  `${executor}: hashing the contents, taking the lock, staging, the ledger, every file and folder durable, all of it read back and compared, closing.`,
  `${bareBatch}: temporary names, as many fsyncs at a time as the executor, renames, fsync of the folders. It is the floor: nothing in it could be left out.`,
  `${eachAtomically}: as it comes, one file after the other, as most programs call it, and 16 at a time. It never syncs a folder, so the names may be lost in a power cut.`,
  `${toolServer}: write_file over stdio, one call after the other, as agents do, and with up to 16 under way; on a server that is up already and folders that are there already. It syncs nothing: after a power cut all may be lost.`,
  `${gitApply}: one patch, one process, then everything on the file system is written out.`,
];

export function writersOfNewFiles(set: FileSet, scratch: Scratch): Contestant[] {
  const patch = join(scratch.folder, `${set.files.length}.patch`);
  writePatch(patch, set);
  return [
    writer(executor, (root) => applyWithExecutor(root, set)),
    writer(bareBatch, (root) => writeBareBatch(root, set)),
    writer(eachAtomically, (root) => writeEachAtomically(root, set, 1)),
    writer(eachAtomicallyAtOnce, (root) => writeEachAtomically(root, set, 16)),
    served(toolServer, 1),
    served(toolServerAtOnce, 16),
    writer(gitApply, async (root) => applyPatch(root, patch)),
  ];

  function served(name: string, pipelined: number): Contestant {
    return {
      name,
      prepare: async () => {
        const root = scratch.fresh("server");
        makeFolders(root, set);
        const server = await ToolServer.start(root);
        return {
          go: () => server.write(set, pipelined),
          end: async () => {
            await server.stop();
            assertWritten(root, set);
          },
        };
      },
    };
  }

  function writer(name: string, write: (root: string) => Promise<void>): Contestant {
    return {
      name,
      prepare: () => {
        const root = scratch.fresh("root");
        return { go: () => write(root), end: () => assertWritten(root, set) };
      },
    };
  }
}
