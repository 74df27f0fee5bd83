/** Names the adapters that the MCP server needs, loaded only by `cox mcp`. */
import type { McpMeans } from "./cli/mcp-means.ts";
import { FileStore } from "./document/file-store.ts";
import { loadWorkflows } from "./document/load-workflows.ts";
import { openFiles } from "./world/choose-files.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeClock } from "./world/node-clock.ts";
import { packageRoot, packageVersion } from "./world/package-root.ts";

export function composeMcp(environment: Readonly<Record<string, string | undefined>>): McpMeans {
  const files = openFiles();
  return {
    version: packageVersion(),
    token: environment.COX_MCP_TOKEN,
    stdout: process.stdout,
    elapsedMs: () => performance.now(),
    async open(root) {
      const workflows = loadWorkflows(files, { root, packageRoot: packageRoot() });
      return {
        store: FileStore.open({ files, root, clock: nodeClock, chance: nodeChance }),
        workflows,
        root,
      };
    },
  };
}
