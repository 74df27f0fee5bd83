/**
 * Effects that git, the disk or the machine would not let happen. The run pauses and says why: whatever is wanted is still
 * wanted when a person has made room and resumes, and is not tried in circles until then.
 */
import type { Admitted, Outcome } from "./command.ts";
import { deskFailed } from "./consequence.ts";
import { wantedEffects } from "./decide.ts";
import type { State } from "./state.ts";
import { admitTurnEnded } from "./turns.ts";

export function admitTrouble(
  state: State,
  { key, problem }: Extract<Outcome, { command: "effect-failed" }>,
): Admitted {
  const effect = wantedEffects(state).find((wanted) => wanted.key === key);
  if (!effect) return { refused: "stale", key };
  const { message, hint } = problem;
  const detail = hint === undefined ? message : `${message} ${hint}`;
  if (effect.effect === "turn") {
    const ended = { how: "crashed", code: deskFailed, message: detail, lastLine: "" } as const;
    return admitTurnEnded(state, { command: "turn-ended", turn: effect.turn, ended, spent: { ms: 0 } });
  }
  return [{ event: "run_paused", data: { reason: "trouble", detail } }];
}
