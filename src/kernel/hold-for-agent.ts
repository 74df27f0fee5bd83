/**
 * Tasks that nobody is left for: every agent that could be sent is out, or does not fit. A person is asked, once for each
 * agent and not for each of its tasks; the others wait for the same answer.
 */
import { auditorsOf, developersOf, dueRole, isStranded, outFor } from "./agent-for.ts";
import type { Admitted, Order } from "./command.ts";
import type { Event, QuestionId, Role } from "./event.ts";
import { giveUpAnswer, nextQuestion, retryAnswer } from "./questions.ts";
import { isOut } from "./standing.ts";
import type { State, Task } from "./state.ts";
import { known } from "./tasks.ts";

type Of<Name extends Order["command"]> = Extract<Order, { command: Name }>;

export function admitHoldForAgent(state: State, { task: id }: Of<"hold-for-agent">): Admitted {
  const task = known(state, id);
  const role = dueRole(task);
  if (role === undefined)
    return { refused: "illegal-transition", task: id, from: task.phase.name, to: "held" };
  if (!isStranded(state, task, role))
    return { refused: "not-possible-now", why: `somebody is left for ${id}` };
  const asked: Event = {
    event: "question_asked",
    data: {
      question: nextQuestion(state),
      task: id,
      text: `${reasons(state, task, role).join(" ")} Put that right and answer "${retryAnswer}", or "${giveUpAnswer}"; other words are given to the agent.`,
      options: [retryAnswer, giveUpAnswer],
      agents: outFor(state, task, role),
    },
  };
  return [asked];
}

/** In the order of preference, so that the first one is what to put right first. */
function reasons(state: State, task: Task, role: Role): string[] {
  const order = role === "developer" ? developersOf(task) : auditorsOf(task);
  const each = order.flatMap((agent) => {
    const unfit = task.unfit.find((one) => one.role === role && one.agent === agent);
    const message = unfit?.message ?? state.standings.get(agent)?.out?.message;
    if (message !== undefined) return [sentence(message)];
    return role === "auditor" && agent === task.work?.author ? [`${agent} wrote it.`] : [];
  });
  const what = role === "developer" ? "do it" : "judge it";
  return [`Nobody is left who could ${what}.`, ...each];
}

function sentence(message: string): string {
  const text = message.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** One that whoever was missing has answered by being there again: after a new session, or another answer. */
export function needlessQuestion(state: State): QuestionId | undefined {
  for (const id of state.index.askedForAgents)
    if (state.questions.get(id)?.agents?.some((agent) => !isOut(state, agent))) return id;
  return undefined;
}

export function admitWithdraw(state: State, { question }: Of<"withdraw">): Admitted {
  const agents = state.questions.get(question)?.agents;
  const isOpen = state.index.askedForAgents.has(question);
  if (!isOpen || !agents?.some((agent) => !isOut(state, agent)))
    return { refused: "not-possible-now", why: `${question} still needs an answer` };
  const reason = "whoever was missing is tried again";
  return [{ event: "question_withdrawn", data: { question, reason } }];
}
