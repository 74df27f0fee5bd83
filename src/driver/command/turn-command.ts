/** The command of a turn's program, or a failed turn when its prompt or its command cannot be used. */
import { oneLine } from "../../std/printable.ts";
import type { TurnHandle, TurnRequest } from "../driver.ts";
import { failedTurn, promptFailure } from "../failure.ts";
import { type Argv, commandProblem, isArgv } from "./command-problem.ts";

export function turnCommand({
  prompt,
  agent,
  settings: { command },
}: TurnRequest): { readonly argv: Argv } | { readonly failed: TurnHandle } {
  const refusal = promptFailure(prompt);
  if (refusal !== undefined) return { failed: refusal };
  const problem = commandProblem(command);
  if (problem === undefined && isArgv(command)) return { argv: command };
  const message = `${cannotStart(agent)}: ${problem?.message}. ${problem?.hint}`;
  return { failed: failedTurn("AGENT_SPAWN", message) };
}

export function cannotStart(agent: string): string {
  return `agent ${oneLine(agent)} cannot be started`;
}
