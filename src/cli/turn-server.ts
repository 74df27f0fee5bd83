/** `cox turn-server`: the MCP server of one turn, which the agent's own program starts. */
import type { Writable } from "node:stream";
import { ServerLog } from "../mcp/server-log.ts";
import { serveTurn } from "../mcp/turn-server.ts";
import { turnTools } from "../mcp/turn-tools.ts";
import { servedTurn } from "../runtime/served-turn.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { failureOf } from "./failure.ts";
import { tellProblems } from "./tell-problems.ts";

export interface TurnServerMeans {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Where messages go, and nothing else. */
  readonly stdout: Writable;
  /** Since any moment. */
  elapsedMs(): number;
}

export async function turnServer(door: Door, means: TurnServerMeans): Promise<ExitCode> {
  const turn = servedTurn(means.environment);
  if ("problem" in turn) return tellProblems(door, "turn-server", [turn.problem], exit.refused);
  const { files, stdin: input, signal, terminal } = door;
  await serveTurn(
    {
      tools: turnTools(turn, files),
      version: means.version,
      log: new ServerLog(terminal.notice, means.elapsedMs),
      problemOf: (thrown) => failureOf(thrown).problem,
    },
    { input, output: means.stdout, signal },
  );
  return exit.done;
}
