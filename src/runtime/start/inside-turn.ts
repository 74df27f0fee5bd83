/**
 * Keeps agents from making decisions that belong to a person: a command run inside a turn, or by a child process of one,
 * is refused, and the turn's coordinator is informed.
 */

import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";
import { refusalsName } from "../folder/scratch.ts";

export interface CallerContext {
  /** The agent's turn that we run inside, if any. */
  readonly enclosingTurn: EnclosingTurn | undefined;
  /** The words after `cox`. */
  readonly typed: readonly string[];
}

export function insideTurn({ enclosingTurn, typed }: CallerContext): Problem | undefined {
  if (!enclosingTurn) return undefined;
  enclosingTurn.note(refusalsName, JSON.stringify({ command: oneLine(`cox ${typed.join(" ")}`, 200) }));
  return {
    code: "AGENT_DECIDES",
    message: `only a person may decide this, and the command was typed inside the turn ${oneLine(enclosingTurn.turn, 100)}`,
    hint: "Say what you need in your reply (SEEKING DIVINE CLARIFICATION); a person will answer.",
  };
}
