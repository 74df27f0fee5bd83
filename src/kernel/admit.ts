/**
 * Turns a command into the events it causes, or into the reason it causes none. `admit` reads the state and never
 * changes it, so a refusal has no side effects.
 */
import { unreachable } from "../std/assert.ts";
import type { Admitted, Command } from "./command.ts";
import { admitReturn } from "./rules/agent/availability.ts";
import { admitHoldForAgent, admitWithdraw } from "./rules/agent/hold-for-agent.ts";
import { admitAdvanced, admitCommitted, admitMerged } from "./rules/branch/integration.ts";
import { admitEndLanding, admitPrepareLanding } from "./rules/branch/landing.ts";
import { admitReverted, admitRollback, admitRollbackRefusal } from "./rules/branch/rollback.ts";
import { admitCollected } from "./rules/evidence/audits.ts";
import { admitVerified } from "./rules/evidence/verification.ts";
import { admitAnswer, admitConfirm, admitDeny, admitRetry } from "./rules/questions.ts";
import * as run from "./rules/run/run.ts";
import { admitTrouble } from "./rules/run/trouble.ts";
import { admitDispatch } from "./rules/turn/dispatch.ts";
import {
  admitCheckpoint,
  admitOutsideChanged,
  admitTurnEnded,
  admitTurnStarted,
} from "./rules/turn/turns.ts";
import type { State } from "./state.ts";

export function admit(state: State, command: Command): Admitted {
  if (!state.run && command.command !== "start") return { refused: "run-not-started" };
  const request = "by" in command ? command.by.request : undefined;
  if (request !== undefined && state.requests.has(request))
    return { refused: "request-already-handled", request };
  if ("task" in command && command.task !== undefined && !state.tasks.has(command.task))
    return { refused: "unknown-task", task: command.task, known: [...state.tasks.keys()] };
  switch (command.command) {
    case "start":
      return run.admitStart(state, command);
    case "open-session":
      return run.admitSession(state, command);
    case "leave-waiting":
      return run.admitLeaving(state);
    case "find-confinement":
      return run.admitConfinement(state, command);
    case "pause":
      return run.admitPause(state, command);
    case "resume":
      return run.admitResume(state, command);
    case "stop":
      return run.admitStop(state, command);
    case "answer":
      return admitAnswer(state, command);
    case "confirm":
      return admitConfirm(state, command);
    case "deny":
      return admitDeny(state, command);
    case "retry":
      return admitRetry(state, command);
    case "rollback":
      return admitRollback(state, command);
    case "log-rollback-refusal":
      return admitRollbackRefusal(state, command);
    case "prepare-landing":
      return admitPrepareLanding(state, command);
    case "end-landing":
      return admitEndLanding(state, command);
    case "report": {
      const { turn, code, message } = command;
      return [{ event: "agent_overstepped", data: { turn, code, message } }];
    }
    case "dispatch":
      return admitDispatch(state, command);
    case "hold-for-budget":
      return run.admitHoldForBudget(state, command.detail);
    case "return-agent":
      return admitReturn(state, command);
    case "hold-for-agent":
      return admitHoldForAgent(state, command);
    case "withdraw":
      return admitWithdraw(state, command);
    case "finish":
      return run.admitFinish(state);
    case "turn-started":
      return admitTurnStarted(state, command);
    case "turn-checkpoint":
      return admitCheckpoint(state, command);
    case "turn-ended":
      return admitTurnEnded(state, command);
    case "outside-changed":
      return admitOutsideChanged(state, command);
    case "collected":
      return admitCollected(state, command);
    case "verified":
      return admitVerified(state, command);
    case "merged":
      return admitMerged(state, command);
    case "committed":
      return admitCommitted(state, command);
    case "reverted":
      return admitReverted(state, command);
    case "advanced":
      return admitAdvanced(state, command);
    case "effect-failed":
      return admitTrouble(state, command);
    default:
      return unreachable(command);
  }
}
