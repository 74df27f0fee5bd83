/** Names the adapters that documents and their tasks need, for `cox mcp`, `cox task` and whoever else works on them. */
import { commandDigest } from "./config/commands.ts";
import { ownStateFolder } from "./config/state-folder.ts";
import { Trust } from "./config/trust.ts";
import { FileStore } from "./document-store/file-store.ts";
import { loadWorkflows } from "./task/load-workflows.ts";
import { verifyHere } from "./verify/verify-here.ts";
import { openFiles } from "./world/choose-files.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeClock } from "./world/node-clock.ts";
import { nodeFolderWatch } from "./world/node-folder-watch.ts";
import { nodeProcesses } from "./world/node-processes.ts";
import { nodeRunClock } from "./world/node-run-clock.ts";
import { packageRoot } from "./world/package-root.ts";
import { realPath } from "./world/real-path.ts";

/** What tools and commands about documents work on, for the repository at `folder`. */
export function openDocuments(environment: Readonly<Record<string, string | undefined>>, folder: string) {
  const files = openFiles();
  // As git names it, and so as it is trusted.
  const root = realPath(folder) ?? folder;
  const trustFolder = ownStateFolder(environment);
  const parts = { processes: nodeProcesses, clock: nodeRunClock(), environment, folder: root };
  return {
    store: FileStore.open({ files, root, clock: nodeClock, chance: nodeChance, folders: nodeFolderWatch }),
    workflows: loadWorkflows(files, { root, packageRoot: packageRoot() }),
    verify: {
      // Asked anew each time: somebody may have approved it a moment ago.
      isTrusted: (command: string) =>
        Trust.open(files, trustFolder).isKnown({ root, digest: commandDigest({ command }) }),
      run: (what: { readonly command: string; readonly signal: AbortSignal }) => verifyHere(parts, what),
    },
    root,
  };
}
