/**
 * What belongs to a person is not decided by an agent: a command that is run inside a turn, or below the process of one,
 * is refused.
 */
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

/** `COX_TURN` is set for whatever an agent starts; whoever composes has looked at our ancestors too. */
export function insideTurn({
  COX_TURN: turn,
}: Readonly<Record<string, string | undefined>>): Problem | undefined {
  if (!turn) return undefined;
  return {
    code: "AGENT_DECIDES",
    message: `this is a decision for a person, and it was asked for inside the turn ${oneLine(turn, 100)}`,
    hint: "Say what you need in your reply (SEEKING DIVINE CLARIFICATION); a person will answer.",
  };
}
