/** Names the adapters for documents and their tasks, used by `cox mcp`, `cox task` and others. */

import { ownStateFolder } from "./config/state-folder.ts";
import { commandDigest } from "./config/trust/commands.ts";
import { Trust } from "./config/trust/trust.ts";
import { FileStore } from "./document-store/file-store.ts";
import { loadWorkflows } from "./task/workflow/load-workflows.ts";
import { verifyHere } from "./verify/verify-here.ts";
import { nodeChance } from "./world/chance.ts";
import { openFiles } from "./world/files/choose-files.ts";
import { packageRoot } from "./world/files/package-root.ts";
import { realPath } from "./world/files/real-path.ts";
import { nodeFolderWatch } from "./world/folders/node-folder-watch.ts";
import { nodeProcesses } from "./world/processes/node-processes.ts";
import { nodeClock } from "./world/time/clock.ts";
import { nodeRunClock } from "./world/time/node-run-clock.ts";

/** What tools and commands about documents need, for the repository at `folder`. */
export function openDocuments(environment: Readonly<Record<string, string | undefined>>, folder: string) {
  const files = openFiles();
  // The real path, as git names it and as it is stored in the trust file.
  const root = realPath(folder) ?? folder;
  const trustFolder = ownStateFolder(environment);
  const parts = { processes: nodeProcesses, clock: nodeRunClock(), environment, folder: root };
  return {
    store: FileStore.open({ files, root, clock: nodeClock, chance: nodeChance, folders: nodeFolderWatch }),
    workflows: loadWorkflows(files, { root, packageRoot: packageRoot() }),
    verify: {
      // Read again each time: somebody may have approved it a moment ago.
      isTrusted: (command: string) =>
        Trust.open(files, trustFolder).isKnown({ root, digest: commandDigest({ command }) }),
      run: (what: { readonly command: string; readonly signal: AbortSignal }) => verifyHere(parts, what),
    },
    root,
  };
}
