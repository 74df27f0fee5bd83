/**
 * What an agent is told about its turn besides the prompt, under the names it finds in its environment; a script uses
 * the same names.
 */
import type { TurnRequest } from "./driver.ts";

export type TurnWords = Readonly<Record<string, string>>;

export function turnWords(turn: TurnRequest): TurnWords {
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

/** The value with `$COX_TASK` and the like replaced in every text of it, however deep. */
export function filledIn<Value>(value: Value, words: TurnWords): Value {
  return filled(value, words) as Value;
}

function filled(value: unknown, words: TurnWords): unknown {
  if (typeof value === "string")
    return value.replace(/\$(COX_[A-Z]+)/g, (whole, name) => words[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => filled(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, words)]));
}
