/**
 * What belongs to a person is not decided by an agent: a command that is run inside a turn, or below the process of one,
 * is refused, and the turn's coordinator gets to hear of it.
 */

import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { TurnAround } from "../world/turn-around.ts";
import { refusalsName } from "./scratch.ts";

export interface Asked {
  /** The agent's turn that we run inside of, if any. */
  readonly turnAround: TurnAround | undefined;
  /** The words behind `cox`. */
  readonly typed: readonly string[];
}

export function insideTurn({ turnAround, typed }: Asked): Problem | undefined {
  if (!turnAround) return undefined;
  turnAround.note(refusalsName, JSON.stringify({ command: oneLine(`cox ${typed.join(" ")}`, 200) }));
  return {
    code: "AGENT_DECIDES",
    message: `this is a decision for a person, and it was asked for inside the turn ${oneLine(turnAround.turn, 100)}`,
    hint: "Say what you need in your reply (SEEKING DIVINE CLARIFICATION); a person will answer.",
  };
}
