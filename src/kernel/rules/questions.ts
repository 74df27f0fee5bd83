/** Questions that only a person can answer, asked by an agent, or by the coordinator when it cannot continue alone. */
import type { TaskId } from "../../plan/plan.ts";
import { assert } from "../../std/assert.ts";
import { sentence } from "../../std/printable.ts";
import type { Admitted, ExternalCommand } from "../command.ts";
import type { DecisionMaker } from "../decision-maker.ts";
import type { Event, Events, Finding, QuestionId } from "../event.ts";
import {
  allowanceKey,
  type MutableQuestion,
  type MutableState,
  type MutableTask,
  type Question,
  type State,
  type Task,
} from "../state.ts";
import { auditorsOf, developersOf } from "./agent/agent-for.ts";
import { broughtBack } from "./agent/availability.ts";
import { enter, mutableTask, taskOf } from "./tasks.ts";

export const giveUpAnswer = "give up";
export const retryAnswer = "retry";

export function nextQuestion(state: State): QuestionId {
  return `q${state.questions.size + 1}` as QuestionId;
}

/**
 * The task went as far as it may without a person. The first line is the question; details follow on their own lines.
 */
export function giveUp(state: State, task: Task, reason: string): Event[] {
  const id = task.facts.task;
  const question = nextQuestion(state);
  const [first = "", ...seen] = reason.split("\n");
  const asked = `${sentence(first)} What now? Any answer other than "${giveUpAnswer}" goes to the agent, which tries again.`;
  const text = [asked, ...seen].join("\n");
  return [
    { event: "task_failed", data: { task: id, reason } },
    { event: "question_asked", data: { question, task: id, text, options: [retryAnswer, giveUpAnswer] } },
  ];
}

type Of<Name extends ExternalCommand["command"]> = Extract<ExternalCommand, { command: Name }>;

export function admitAnswer(state: State, { question: id, answer, by }: Of<"answer">): Admitted {
  const question = openQuestion(state, id, "answer");
  if ("refused" in question) return question;
  const { task } = question;
  const answered: Event = { event: "divine_response_received", data: { question: id, answer, by } };
  const isHeld = taskOf(state, task).phase.name === "held";
  if (question.kind === "trouble" && answer.trim().toLowerCase() === giveUpAnswer) {
    const reason = `${by.who} gave it up`;
    return isHeld ? [answered, { event: "task_failed", data: { task, reason } }] : [answered];
  }
  if (isHeld)
    return [
      answered,
      ...broughtBack(state, question.agents ?? []),
      { event: "agent_resumes_with_guidance", data: { question: id, task } },
    ];
  return [answered, ...retried(state, task, { by, afresh: false })];
}

/** Retrying a task also brings back its agents. */
function retried(state: State, id: TaskId, { by, afresh }: Pick<Of<"retry">, "by" | "afresh">): Event[] {
  const task = taskOf(state, id);
  return [
    ...broughtBack(state, [...new Set([...developersOf(task), ...auditorsOf(task)])]),
    { event: "task_retried", data: { task: id, by, afresh } },
  ];
}

export function admitConfirm(state: State, { question: id, by }: Of<"confirm">): Admitted {
  const question = openQuestion(state, id, "confirm");
  if ("refused" in question) return question;
  assert(question.digest !== undefined, "a confirmation has a digest");
  return [{ event: "confirmation_given", data: { question: id, digest: question.digest, by } }];
}

export function admitDeny(state: State, { question: id, reason, by }: Of<"deny">): Admitted {
  const question = openQuestion(state, id, "confirm");
  if ("refused" in question) return question;
  return [{ event: "confirmation_denied", data: { question: id, reason, by } }];
}

/** The question, if this kind of decision may be made on it. */
export function openQuestion(
  state: State,
  id: QuestionId,
  wants: "answer" | "confirm",
): Question | Exclude<Admitted, readonly Event[]> {
  const question = state.questions.get(id);
  if (!question) return { refused: "unknown-question", question: id, open: [...state.index.openQuestions] };
  if (question.decision) {
    const { decision } = question;
    if ("withdrawn" in decision)
      return { refused: "not-possible-now", why: `${id} was withdrawn: ${decision.withdrawn}` };
    return { refused: "already-decided", question: id, decision: decision.text, by: decision.by };
  }
  const is = question.kind === "confirmation" ? "confirm" : "answer";
  return is === wants ? question : { refused: "wrong-kind-of-question", question: id, wants: is };
}

export function admitRetry(state: State, { task: id, afresh, by }: Of<"retry">): Admitted {
  const { phase } = taskOf(state, id);
  // "Try again" answers the question of why no agent is left for the task.
  if (phase.name === "held" && !afresh && state.questions.get(phase.question)?.agents)
    return admitAnswer(state, { command: "answer", question: phase.question, answer: retryAnswer, by });
  if (phase.name !== "failed")
    return { refused: "illegal-transition", task: id, from: phase.name, to: "working" };
  return [...withdrawn(state, id, "the task was retried"), ...retried(state, id, { by, afresh })];
}

/** Withdraws the open questions of a task that no longer need an answer. */
export function withdrawn(state: State, task: TaskId, reason: string): Event[] {
  return [...state.index.openQuestions].flatMap((question) =>
    state.questions.get(question)?.task === task
      ? [{ event: "question_withdrawn", data: { question, reason } } as const]
      : [],
  );
}

export function onGuidance(state: MutableState, data: Events["agent_seeks_guidance"]): void {
  const { question, task: id, agent, text, options, settles = [], tree, carried_out } = data;
  ask(state, { question, kind: "guidance", task: id, agent, text, options, settles });
  const task = mutableTask(state, id);
  const next = task.phase.name === "auditing" ? "audit" : "work";
  if (task.phase.name === "working" || task.phase.name === "auditing")
    if (task.phase.step === "collect") state.replies.delete(task.phase.turn);
  task.counts.repliesRefused = 0;
  if (task.desk)
    task.desk = {
      ...task.desk,
      keep: true,
      ...(tree === undefined ? {} : { tree }),
      ...(carried_out === undefined ? {} : { carriedOut: carried_out }),
    };
  enter(state, task, { name: "held", question, resumes: next });
}

export function onQuestion(
  state: MutableState,
  { question, task: id, text, options, agents }: Events["question_asked"],
): void {
  ask(state, { question, kind: "trouble", task: id, text, options, agents });
  const task = mutableTask(state, id);
  if (task.phase.name === "failed") enter(state, task, { ...task.phase, question });
  else
    enter(state, task, {
      name: "held",
      question,
      resumes: task.phase.name === "auditing" ? "audit" : "work",
    });
}

export function onConfirmationRequested(state: MutableState, data: Events["confirmation_requested"]): void {
  const { question, task: id, turn, digest, items } = data;
  const text = "The agent wants to do what only a person may allow.";
  ask(state, { question, kind: "confirmation", task: id, text, options: [], items, digest });
  enter(state, mutableTask(state, id), { name: "held", question, resumes: "collect", turn });
}

export function onAnswered(
  state: MutableState,
  { question: id, answer, by }: Events["divine_response_received"],
): void {
  const question = decide(state, id, { text: answer, by });
  const asking = mutableTask(state, question.task);
  asking.settled = [...new Set([...asking.settled, ...question.settles])];
  const isPlain = [giveUpAnswer, retryAnswer].includes(answer.trim().toLowerCase());
  if (question.kind === "trouble" && isPlain) return;
  asking.guidance.push({ question: question.text, answer });
}

export function onResumesWithGuidance(
  state: MutableState,
  { question, task: id }: Events["agent_resumes_with_guidance"],
): void {
  const task = mutableTask(state, id);
  // An agent that did not fit the task may fit it with what the person said.
  if (state.questions.get(question)?.agents) task.unfitAgents = [];
  goOn(state, task);
}

function goOn(state: MutableState, task: MutableTask): void {
  assert(task.phase.name === "held", "whoever is answered was held");
  if (task.phase.resumes === "audit") enter(state, task, { name: "auditing", step: "due" });
  else enter(state, task, { name: "working", step: "due" });
}

export function onConfirmed(state: MutableState, { question: id, by }: Events["confirmation_given"]): void {
  const question = decide(state, id, { text: "confirmed", by });
  const task = mutableTask(state, question.task);
  if (task.phase.name !== "held" || task.phase.turn === undefined) return;
  task.allowed = [...new Set([...task.allowed, ...question.items.map(allowanceKey)])];
  enter(state, task, { name: "working", step: "collect", turn: task.phase.turn });
}

export function onDenied(
  state: MutableState,
  { question: id, reason, by }: Events["confirmation_denied"],
): void {
  const question = decide(state, id, { text: `denied: ${reason}`, by });
  const task = mutableTask(state, question.task);
  if (task.phase.name !== "held") return;
  if (task.phase.turn !== undefined) state.replies.delete(task.phase.turn);
  task.feedback = [denial(question.items, reason)];
  if (task.desk) task.desk = { ...task.desk, keep: true };
  enter(state, task, { name: "working", step: "due" });
}

function denial(items: readonly Finding[], reason: string): Finding {
  const paths = items.flatMap(({ path }) => path ?? []).join(", ");
  return {
    code: "DENIED",
    message: `a person denied the change of ${paths}${reason === "" ? "" : `: ${reason}`}`,
    hint: "Do the task without it, or say TASK INCOMPLETE with the reason.",
  };
}

export function onWithdrawn(
  state: MutableState,
  { question: id, reason }: Events["question_withdrawn"],
): void {
  const question = state.questions.get(id);
  assert(question, `the question ${id} was asked`);
  question.decision = { withdrawn: reason };
  close(state, id);
  // The task was held because an agent was missing. Other events that withdraw a question set the phase themselves.
  const task = mutableTask(state, question.task);
  if (question.agents && task.phase.name === "held") goOn(state, task);
}

/** If the work was not judged yet, a retry continues with the audit. */
export function onFailed(state: MutableState, { task: id, reason }: Events["task_failed"]): void {
  const task = mutableTask(state, id);
  const { phase } = task;
  const isUnjudged = phase.name === "auditing" || (phase.name === "held" && phase.resumes === "audit");
  enter(state, task, { name: "failed", reason, resumes: isUnjudged ? "audit" : "work" });
}

export function onRetried(state: MutableState, { task: id, afresh }: Events["task_retried"]): void {
  const task = mutableTask(state, id);
  assert(task.phase.name === "failed", "only what failed is tried again");
  if (state.status.name === "finished") state.status = { name: "stopped" };
  task.counts = {
    repliesRefused: 0,
    turnsLost: 0,
    auditTurnsLost: 0,
    auditsFailed: task.counts.auditsFailed,
    roundsFailed: 0,
  };
  task.budgetsGranted += 1;
  task.unfitAgents = [];
  if (task.phase.resumes === "audit" && task.work && task.unmet === 0 && !afresh) {
    enter(state, task, { name: "auditing", step: "due" });
    return;
  }
  task.attempt += 1;
  task.turnsOfAttempt = 0;
  task.auditTurnsOfAttempt = 0;
  if (afresh) {
    task.desk = undefined;
    task.work = undefined;
    task.checkpoint = undefined;
    task.feedback = [];
    task.conversations = {};
  } else if (task.desk) task.desk = { ...task.desk, keep: true };
  enter(state, task, task.unmet === 0 ? { name: "working", step: "due" } : { name: "waiting" });
}

type Asked = Omit<
  MutableQuestion,
  "asked" | "askedAt" | "decision" | "items" | "digest" | "agent" | "agents" | "settles"
> &
  Partial<Pick<MutableQuestion, "items" | "digest" | "agent" | "agents" | "settles">>;

function ask(state: MutableState, asked: Asked): void {
  const none = { agent: undefined, items: [], digest: undefined, agents: undefined, settles: [] };
  const rest = { ...none, asked: state.time, askedAt: state.at, decision: undefined };
  const question = { ...rest, ...asked };
  state.questions.set(asked.question, question);
  indexQuestion(state, question);
}

/** Adds an open question to the sets it belongs to. */
export function indexQuestion({ index }: MutableState, { question, agents }: MutableQuestion): void {
  index.openQuestions.add(question);
  if (agents) index.askedForAgents.add(question);
}

function close({ index }: MutableState, id: QuestionId): void {
  index.openQuestions.delete(id);
  index.askedForAgents.delete(id);
}

function decide(
  state: MutableState,
  id: QuestionId,
  decision: { text: string; by: DecisionMaker },
): MutableQuestion {
  const question = state.questions.get(id);
  assert(question, `the question ${id} was asked`);
  question.decision = decision;
  close(state, id);
  return question;
}
