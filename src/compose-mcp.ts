/** Names the adapters of the MCP server; loaded only by `cox mcp`. */
import type { McpPorts } from "./cli/servers/mcp-ports.ts";
import { openDocuments } from "./compose-documents.ts";
import { composeRuns } from "./compose-runs.ts";
import { openFiles } from "./world/files/choose-files.ts";
import { packageVersion } from "./world/files/package-root.ts";
import { nodeLoopbackServers } from "./world/network/node-loopback-server.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeClock } from "./world/time/node-clock.ts";

export function composeMcp(environment: Readonly<Record<string, string | undefined>>): McpPorts {
  const runs = composeRuns(environment);
  return {
    version: packageVersion(),
    token: environment.COX_MCP_TOKEN,
    enclosingTurn: runs.enclosingTurn,
    servers: nodeLoopbackServers,
    stdout: process.stdout,
    elapsedMs: () => performance.now(),
    async open(root) {
      const world = { files: openFiles(), clock: nodeClock, chance: nodeChance };
      return { ...world, ...openDocuments(environment, root), runs };
    },
  };
}
