/**
 * Builds an agent's whole environment: the clean one, the variables that the configuration names, the variables that
 * describe its turn, and its scratch folder as the place for temporary files.
 */
import { cleanEnvironment } from "../world/processes/clean-environment.ts";
import type { TurnRequest } from "./driver.ts";
import { turnPlaceholders } from "./output/turn-words.ts";

export type OurEnvironment = Readonly<Record<string, string | undefined>>;

/** `variables` are those that this kind of agent needs, in the notation of `AgentClient`. */
export function agentEnvironment(
  turn: TurnRequest,
  ours: OurEnvironment,
  variables: readonly string[] = [],
): Readonly<Record<string, string>> {
  const named = turn.settings.passEnvironment ?? [];
  const own = Object.keys(ours).filter((name) => isAmong(name, variables));
  const clean = cleanEnvironment(ours, { pass: [...own, ...named] });
  return { ...clean, TMPDIR: turn.scratch, ...turnPlaceholders(turn) };
}

function isAmong(name: string, variables: readonly string[]): boolean {
  if (variables.includes(`!${name}`)) return false;
  return variables.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
}
