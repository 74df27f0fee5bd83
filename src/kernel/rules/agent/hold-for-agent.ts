/**
 * Tasks that no agent is left for: every agent that could be sent is out or unfit. A person is asked once for each
 * agent, not for each of its tasks; the other tasks wait for the same answer.
 */

import type { Admitted, Order } from "../../command.ts";
import type { Event, QuestionId, Role } from "../../event.ts";
import type { State, Task } from "../../state.ts";
import { giveUpAnswer, nextQuestion, retryAnswer } from "../questions.ts";
import { taskOf } from "../tasks.ts";
import { auditorsOf, developersOf, dueRole, isNobodyLeft, outFor } from "./agent-for.ts";
import { isOut } from "./availability.ts";

type Of<Name extends Order["command"]> = Extract<Order, { command: Name }>;

export function admitHoldForAgent(state: State, { task: id }: Of<"hold-for-agent">): Admitted {
  const task = taskOf(state, id);
  const role = dueRole(task);
  if (role === undefined)
    return { refused: "illegal-transition", task: id, from: task.phase.name, to: "held" };
  if (!isNobodyLeft(state, task, role))
    return { refused: "not-possible-now", why: `somebody is left for ${id}` };
  const asked: Event = {
    event: "question_asked",
    data: {
      question: nextQuestion(state),
      task: id,
      text: `${reasons(state, task, role).join(" ")} Fix that and answer "${retryAnswer}", or answer "${giveUpAnswer}"; any other answer goes to the agent.`,
      options: [retryAnswer, giveUpAnswer],
      agents: outFor(state, task, role),
    },
  };
  return [asked];
}

/** In the fallback order, so that the first reason is the first thing to fix. */
function reasons(state: State, task: Task, role: Role): string[] {
  const order = role === "developer" ? developersOf(task) : auditorsOf(task);
  const each = order.flatMap((agent) => {
    const unfit = task.unfitAgents.find((one) => one.role === role && one.agent === agent);
    const message = unfit?.message ?? state.availability.get(agent)?.out?.message;
    if (message !== undefined) return [sentence(message)];
    return role === "auditor" && agent === task.work?.author ? [`${agent} wrote it.`] : [];
  });
  const what = role === "developer" ? "do it" : "judge it";
  return [`No agent is left to ${what}.`, ...each];
}

function sentence(message: string): string {
  const text = message.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A question that is no longer needed, because a missing agent is back: after a new session, or another answer. */
export function unneededQuestion(state: State): QuestionId | undefined {
  for (const id of state.index.askedForAgents)
    if (state.questions.get(id)?.agents?.some((agent) => !isOut(state, agent))) return id;
  return undefined;
}

export function admitWithdraw(state: State, { question }: Of<"withdraw">): Admitted {
  const agents = state.questions.get(question)?.agents;
  const isOpen = state.index.askedForAgents.has(question);
  if (!isOpen || !agents?.some((agent) => !isOut(state, agent)))
    return { refused: "not-possible-now", why: `${question} still needs an answer` };
  const reason = "the missing agents are tried again";
  return [{ event: "question_withdrawn", data: { question, reason } }];
}
