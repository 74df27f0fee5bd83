/**
 * Effects that failed because of git, the disk or the machine. The run pauses and says why. What is wanted stays wanted
 * until a person has fixed the cause and resumes; until then it is not retried in a loop.
 */
import type { Admitted, EffectOutcome } from "../../command.ts";
import { wantedEffects } from "../../decide.ts";
import type { State } from "../../state.ts";
import { deskFailed } from "../agent/consequence.ts";
import { admitTurnEnded } from "../turn/turns.ts";

export function admitTrouble(
  state: State,
  { key, problem }: Extract<EffectOutcome, { command: "effect-failed" }>,
): Admitted {
  const effect = wantedEffects(state).find((wanted) => wanted.key === key);
  if (!effect) return { refused: "stale", key };
  const { code, message, hint } = problem;
  const detail = hint === undefined ? message : `${message} ${hint}`;
  if (effect.effect === "turn") {
    // Messages of the operating system begin with the code.
    const words = message.startsWith(code) ? detail : `${code}: ${detail}`;
    const ended = { how: "crashed", code: deskFailed, message: words, lastLine: "" } as const;
    return admitTurnEnded(state, { command: "turn-ended", turn: effect.turn, ended, spent: { ms: 0 } });
  }
  return [{ event: "run_paused", data: { reason: "trouble", detail } }];
}
