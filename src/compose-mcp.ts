/** Names the adapters that the MCP server needs, loaded only by `cox mcp`. */
import type { McpMeans } from "./cli/mcp-means.ts";
import { openDocuments } from "./compose-documents.ts";
import { composeRuns } from "./compose-runs.ts";
import { openFiles } from "./world/choose-files.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeClock } from "./world/node-clock.ts";
import { nodeLoopbackServers } from "./world/node-loopback-server.ts";
import { packageVersion } from "./world/package-root.ts";

export function composeMcp(environment: Readonly<Record<string, string | undefined>>): McpMeans {
  const runs = composeRuns(environment);
  return {
    version: packageVersion(),
    token: environment.COX_MCP_TOKEN,
    turnAround: runs.turnAround,
    servers: nodeLoopbackServers,
    stdout: process.stdout,
    elapsedMs: () => performance.now(),
    async open(root) {
      const world = { files: openFiles(), clock: nodeClock, chance: nodeChance };
      return { ...world, ...openDocuments(environment, root), runs };
    },
  };
}
