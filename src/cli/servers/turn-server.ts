/** `cox turn-server`: runs the MCP server of one turn. The agent's own program starts it. */
import type { Writable } from "node:stream";
import { ServerLog } from "../../mcp/server-log.ts";
import { serveTurn } from "../../mcp/turn/turn-server.ts";
import { turnTools } from "../../mcp/turn/turn-tools.ts";
import { servedTurn } from "../../runtime/acts/served-turn.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { failureOf } from "../failure.ts";
import { tellProblems } from "../tell-problems.ts";

export interface TurnServerPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** For protocol messages only. */
  readonly stdout: Writable;
  /** Milliseconds since an arbitrary moment. */
  elapsedMs(): number;
}

export async function turnServerCommand(door: CommandContext, ports: TurnServerPorts): Promise<ExitCode> {
  const turn = servedTurn(ports.environment);
  if ("problem" in turn) return tellProblems(door, "turn-server", [turn.problem], exit.refused);
  const { files, stdin: input, signal, terminal } = door;
  await serveTurn(
    {
      tools: turnTools(turn, files),
      version: ports.version,
      log: new ServerLog(terminal.notice, ports.elapsedMs),
      problemOf: (thrown) => failureOf(thrown).problem,
    },
    { input, output: ports.stdout, signal },
  );
  return exit.done;
}
