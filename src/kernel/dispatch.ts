/**
 * Sending an agent to work. What is due was selected by `decide`; here it is judged once more, because an order may come
 * late: never a second turn for one task, never one more than there are slots, never two tasks on one file.
 */
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import { taskOverBudget } from "./budget.ts";
import type { Admitted, Refusal } from "./command.ts";
import type { Event, Role, TurnId } from "./event.ts";
import { giveUp } from "./questions.ts";
import { claimant, freeSlots } from "./selection.ts";
import type { State, Task } from "./state.ts";
import { known } from "./tasks.ts";
import { isAtWork } from "./turns.ts";

export function admitDispatch(
  state: State,
  { task: id, role, fenceTag }: { task: TaskId; role: Role; fenceTag: string },
): Admitted {
  const task = known(state, id);
  const refusal = whyNot(state, task, role);
  if (refusal) return refusal;
  const over = taskOverBudget(task);
  if (over !== undefined) return giveUp(state, task, `its budget is spent: ${over}`);
  const { facts, attempt } = task;
  assert(state.run, "a run that dispatches has begun");
  const { settings } = state.run;
  const agent = role === "developer" ? facts.agent : facts.auditor;
  assert(agent, "a task that is due has somebody for it");
  const dispatched: Event = {
    event: "agent_dispatched",
    data: {
      turn: nextTurn(task, role),
      agent,
      role,
      task: id,
      attempt,
      fence_tag: fenceTag,
      timeout_ms: facts.timeout_ms ?? settings.turn_timeout_ms,
      stall_ms: settings.stall_timeout_ms,
    },
  };
  if (role === "auditor") return [dispatched];
  const base = task.desk?.base ?? state.tip;
  return [{ event: "developer_dispatched", data: { task: id, agent, attempt, base } }, dispatched];
}

function whyNot(state: State, task: Task, role: Role): Refusal | undefined {
  const { facts, phase } = task;
  const isDue =
    role === "developer"
      ? phase.name === "ready" || (phase.name === "working" && phase.step === "due")
      : phase.name === "auditing" && phase.step === "due" && facts.auditor !== undefined;
  if (!isDue || isAtWork(state, facts.task))
    return { refused: "illegal-transition", task: facts.task, from: phase.name, to: `${role} dispatched` };
  if (state.status.name !== "running")
    return { refused: "not-possible-now", why: `the run is ${state.status.name}` };
  if (freeSlots(state) <= 0) return { refused: "not-possible-now", why: "every slot is taken" };
  const other = task.hasClaims ? undefined : claimant(state, task);
  if (other !== undefined)
    return { refused: "not-possible-now", why: `${other} is at work on what ${facts.task} declares` };
  return undefined;
}

function nextTurn({ facts, attempt, turnsOfAttempt, auditTurnsOfAttempt }: Task, role: Role): TurnId {
  const number = role === "developer" ? `${turnsOfAttempt + 1}` : `a${auditTurnsOfAttempt + 1}`;
  return `${facts.key}.${attempt}.${number}` as TurnId;
}
