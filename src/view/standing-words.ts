/** Agents that are away, in words: why, and for how long or until what. */
import type { Standing, State } from "../kernel/state.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";
import { oneLine } from "../std/printable.ts";
import { duration } from "./duration.ts";
import type { Moment } from "./run-times.ts";

export interface AwayAgent {
  readonly agent: string;
  readonly standing: "resting" | "out";
  readonly code: string;
  /** Of a rest. */
  readonly left_ms: number | null;
  /** What it failed with; nothing of a rest, of which the log says it. */
  readonly message: string | null;
}

export function awayAgents({ standings }: State, { time }: Moment): AwayAgent[] {
  return [...standings.values()].flatMap((one) => awayAgent(one, time));
}

export function awayAgent({ agent, rest, out }: DeepReadonly<Standing>, time: number): AwayAgent[] {
  if (out) return [{ agent, standing: "out", code: out.code, left_ms: null, message: out.message }];
  if (!rest) return [];
  const left = Math.max(0, Math.round(rest.until - time));
  return [{ agent, standing: "resting", code: rest.code, left_ms: left, message: null }];
}

/** "writer rests for another 4m10s (rate limit)", "writer is out: not signed in". */
export function awayWords({ agent, code, left_ms }: AwayAgent): string {
  const who = oneLine(agent, 40);
  if (left_ms === null) return `${who} is out: ${codeWords(code)}`;
  return left_ms === 0
    ? `${who} comes back from its rest (${codeWords(code)})`
    : `${who} rests for another ${duration(left_ms)} (${codeWords(code)})`;
}

export function codeWords(code: string): string {
  return words.get(code) ?? oneLine(code, 60);
}

const words: ReadonlyMap<string, string> = new Map([
  ["AGENT_RATE_LIMIT", "rate limit"],
  ["AGENT_API", "its model's server fails"],
  ["AGENT_NOT_INSTALLED", "not installed"],
  ["AGENT_NOT_SIGNED_IN", "not signed in"],
]);
