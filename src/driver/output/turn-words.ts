/**
 * The variables that describe a turn to its agent, in addition to the prompt. An agent finds them in its environment; a
 * script uses the same names.
 */
import type { TurnRequest } from "../driver.ts";

export type TurnPlaceholders = Readonly<Record<string, string>>;

export function turnPlaceholders(turn: TurnRequest): TurnPlaceholders {
  return {
    COX_RUN: turn.run,
    COX_TASK: turn.task,
    COX_TURN: turn.turn,
    COX_ATTEMPT: String(turn.attempt),
    COX_AGENT: turn.agent,
    COX_ROLE: turn.role,
    COX_FENCE: turn.fence,
  };
}

/** Replaces `$COX_TASK` and the like in every string of the value, however deeply nested. */
export function filledIn<Value>(value: Value, words: TurnPlaceholders): Value {
  return filled(value, words) as Value;
}

function filled(value: unknown, words: TurnPlaceholders): unknown {
  if (typeof value === "string")
    return value.replace(/\$(COX_[A-Z]+)/g, (whole, name) => words[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => filled(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, words)]));
}
