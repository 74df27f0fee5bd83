/**
 * Sends an agent to work. `decide` selected what is due; it is checked again here, because an order may arrive late:
 * never a second turn for one task, never more turns than slots, never two tasks on one file, and no agent that is away
 * or would judge its own work.
 */
import { assert } from "../../../std/assert.ts";
import type { Admitted, Order, Refusal } from "../../command.ts";
import type { Event, Role, TurnId } from "../../event.ts";
import type { RunStarted } from "../../run-started.ts";
import type { State, Task } from "../../state.ts";
import { agentFor } from "../agent/agent-for.ts";
import { conversationFor } from "../agent/conversation.ts";
import { giveUp } from "../questions.ts";
import { taskOverBudget } from "../run/budget.ts";
import { taskOf } from "../tasks.ts";
import { freeSlots, reservedBy } from "./selection.ts";
import { isAtWork } from "./turns.ts";

export function admitDispatch(
  state: State,
  { task: id, role, agent, fenceTag }: Extract<Order, { command: "dispatch" }>,
): Admitted {
  const task = taskOf(state, id);
  const refusal = whyNot(state, task, { role, agent });
  if (refusal) return refusal;
  const over = taskOverBudget(task);
  if (over !== undefined) return giveUp(state, task, `its budget is spent: ${over}`);
  const { facts, attempt } = task;
  assert(state.run, "a run that dispatches has begun");
  const { settings } = state.run;
  const resumes = conversationFor(task, role, agent);
  const dispatched: Event = {
    event: "agent_dispatched",
    data: {
      turn: nextTurn(task, role),
      agent,
      role,
      task: id,
      attempt,
      fence_tag: fenceTag,
      timeout_ms: facts.timeout_ms ?? timeoutOf(state.run, agent) ?? settings.turn_timeout_ms,
      stall_ms: settings.stall_timeout_ms,
      ...(resumes === undefined ? {} : { resumes }),
    },
  };
  if (role === "auditor") return [dispatched];
  const base = task.desk?.base ?? state.tip;
  return [{ event: "developer_dispatched", data: { task: id, agent, attempt, base } }, dispatched];
}

function timeoutOf({ agents }: Pick<RunStarted, "agents">, name: string): number | undefined {
  return agents?.find((agent) => agent.name === name)?.timeout_ms;
}

function whyNot(
  state: State,
  task: Task,
  { role, agent }: { readonly role: Role; readonly agent: string },
): Refusal | undefined {
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
  if (agentFor(state, task, role) !== agent)
    return { refused: "not-possible-now", why: `${agent} is not the agent for ${facts.task}` };
  const other = task.hasReservation ? undefined : reservedBy(state, task);
  if (other !== undefined)
    return { refused: "not-possible-now", why: `${other} is at work on what ${facts.task} declares` };
  return undefined;
}

function nextTurn({ facts, attempt, turnsOfAttempt, auditTurnsOfAttempt }: Task, role: Role): TurnId {
  const number = role === "developer" ? `${turnsOfAttempt + 1}` : `a${auditTurnsOfAttempt + 1}`;
  return `${facts.key}.${attempt}.${number}` as TurnId;
}
