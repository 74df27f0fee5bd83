/** `cox turn-server`: runs the MCP server of one turn. The agent's own program starts it. */
import type { Readable } from "node:stream";
import { type ServedTurn, servedTurn } from "../../runtime/acts/served-turn.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

/** Composed by `compose-turn-server.ts`. */
export interface TurnServerPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Serves the agent's program on stdin and stdout until it leaves or the signal is aborted. */
  serve(turn: ServedTurn, client: TurnClient): Promise<void>;
}

export interface TurnClient extends Pick<CommandContext, "files"> {
  readonly input: Readable;
  readonly signal: AbortSignal;
  /** Writes a line to the operator. */
  notice(line: string): void;
}

export async function turnServerCommand(door: CommandContext, ports: TurnServerPorts): Promise<ExitCode> {
  const turn = servedTurn(ports.environment);
  if ("problem" in turn) return tellProblems(door, "turn-server", [turn.problem], exit.refused);
  const { files, stdin: input, signal, terminal } = door;
  await ports.serve(turn, { files, input, signal, notice: terminal.notice });
  return exit.done;
}
