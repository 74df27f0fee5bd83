/** Names the adapters that the MCP server needs, loaded only by `cox mcp`. */
import type { McpMeans } from "./cli/mcp-means.ts";
import { loadWorkflows } from "./document/load-workflows.ts";
import { standInStore } from "./stand-in-store.ts";
import { openFiles } from "./world/choose-files.ts";
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
      return { store: standInStore(root), workflows, root };
    },
  };
}
