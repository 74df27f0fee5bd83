/** What `cox mcp` receives besides the command context; composed by `compose-mcp.ts`. */
import type { Writable } from "node:stream";
import type { ToolBase } from "../../mcp/server-options.ts";
import type { LoopbackServers } from "../../world/network/loopback-server.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";

export interface McpPorts {
  readonly version: string;
  /** The token from the environment. */
  readonly token: string | undefined;
  /** The agent's turn that we run inside, if any. */
  readonly enclosingTurn: EnclosingTurn | undefined;
  readonly servers: LoopbackServers;
  /** For protocol messages only. */
  readonly stdout: Writable;
  /** Milliseconds since an arbitrary moment. */
  elapsedMs(): number;
  /** Opens what the tools work on, for the repository at `root`. */
  open(root: string): Promise<ToolBase>;
}
