/** Names the MCP server and its adapters; loaded only by `cox mcp`. */
import { failureOf } from "./cli/failure.ts";
import type { McpOpenOptions, McpPorts, OpenMcp } from "./cli/servers/mcp-ports.ts";
import { openDocuments } from "./compose-documents.ts";
import { composeRuns } from "./compose-runs.ts";
import { openHttp } from "./mcp/http/http-server.ts";
import { Tokens } from "./mcp/http/http-tokens.ts";
import { runsOf } from "./mcp/resources/runs.ts";
import { ServerLog } from "./mcp/server-log.ts";
import type { ServerOptions, ToolBase } from "./mcp/server-options.ts";
import { serveStdio } from "./mcp/stdio/serve-stdio.ts";
import type { ToolGroup } from "./mcp/tool.ts";
import { readGroups, toolsOf } from "./mcp/tools.ts";
import { nodeChance } from "./world/chance.ts";
import { openFiles } from "./world/files/choose-files.ts";
import { packageVersion } from "./world/files/package-root.ts";
import { nodeLoopbackServers as servers } from "./world/network/node-loopback-server.ts";
import { nodeClock } from "./world/time/clock.ts";

export function composeMcp(environment: Readonly<Record<string, string | undefined>>): McpPorts {
  const runs = composeRuns(environment);
  const world = { files: openFiles(), clock: nodeClock, chance: nodeChance };
  return {
    token: environment.COX_MCP_TOKEN,
    enclosingTurn: runs.enclosingTurn,
    randomToken: Tokens.random,
    choose(text) {
      const read = readGroups(text);
      if ("problem" in read) return read;
      const open = async (options: McpOpenOptions) => {
        const base = { ...world, ...openDocuments(environment, options.root), runs };
        return openMcp(serverOptions(read.groups, base, options));
      };
      return { server: { open } };
    },
  };
}

function serverOptions(
  groups: readonly ToolGroup[],
  base: ToolBase,
  { root, isHttp, notice }: McpOpenOptions,
): ServerOptions {
  return {
    tools: toolsOf(groups),
    base,
    runs: runsOf(base, root),
    door: isHttp ? "mcp-http" : "mcp-stdio",
    version: packageVersion(),
    log: new ServerLog(notice, () => performance.now()),
    problemOf: (thrown) => failureOf(thrown).problem,
  };
}

function openMcp(options: ServerOptions): OpenMcp {
  return {
    serveStdio: (client) => serveStdio(options, { ...client, output: process.stdout }),
    listen: ({ port, tokens }) => openHttp(options, { servers, port, tokens: new Tokens(tokens) }),
    close: async () => options.base.store.close(),
  };
}
