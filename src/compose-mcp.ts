/** Names the adapters that the MCP server needs, loaded only by `cox mcp`. */
import type { McpMeans } from "./cli/mcp-means.ts";
import { openDocuments } from "./compose-documents.ts";
import { packageVersion } from "./world/package-root.ts";

export function composeMcp(environment: Readonly<Record<string, string | undefined>>): McpMeans {
  return {
    version: packageVersion(),
    token: environment.COX_MCP_TOKEN,
    stdout: process.stdout,
    elapsedMs: () => performance.now(),
    open: async (root) => openDocuments(environment, root),
  };
}
