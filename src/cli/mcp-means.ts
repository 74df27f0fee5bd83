/** What `cox mcp` is handed besides the door; composed by `compose-mcp.ts`. */
import type { Writable } from "node:stream";
import type { ToolBase } from "../mcp/server-means.ts";
import type { LoopbackServers } from "../world/loopback-server.ts";
import type { TurnAround } from "../world/turn-around.ts";

export interface McpMeans {
  readonly version: string;
  /** Of the environment. */
  readonly token: string | undefined;
  /** The agent's turn that we run inside of. */
  readonly turnAround: TurnAround | undefined;
  readonly servers: LoopbackServers;
  /** Where messages go, and nothing else. */
  readonly stdout: Writable;
  /** Since any moment. */
  elapsedMs(): number;
  /** What the tools work on, for the repository at `root`. */
  open(root: string): Promise<ToolBase>;
}
