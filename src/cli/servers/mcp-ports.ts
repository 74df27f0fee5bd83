/** What `cox mcp` receives besides the command context; composed by `compose-mcp.ts`, which alone knows the server. */
import type { Readable } from "node:stream";
import type { Problem } from "../../std/problem.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";

export interface McpPorts {
  /** The token from the environment. */
  readonly token: string | undefined;
  /** The agent's turn that we run inside, if any. */
  readonly enclosingTurn: EnclosingTurn | undefined;
  /** The server with the tools of these groups, as typed after `--tools`; without it, with the usual ones. */
  choose(groups: string | undefined): { readonly server: McpServer } | { readonly problem: Problem };
  randomToken(): string;
}

export interface McpServer {
  /** Opens what the tools work on, for the repository at `root`. */
  open(options: McpOpenOptions): Promise<OpenMcp>;
}

export interface McpOpenOptions {
  readonly root: string;
  readonly isHttp: boolean;
  /** Writes a line to the operator. */
  notice(line: string): void;
}

export interface OpenMcp {
  /** Serves the client on stdin and stdout until it leaves or the signal is aborted. */
  serveStdio(client: { readonly input: Readable; readonly signal: AbortSignal }): Promise<void>;
  /** Listens on this machine; 0 is any free port. */
  listen(options: {
    readonly port: number;
    readonly tokens: readonly string[];
  }): Promise<{ readonly server: ListeningMcp } | { readonly problem: Problem }>;
  close(): Promise<void>;
}

export interface ListeningMcp {
  readonly url: string;
  close(): Promise<void>;
}
