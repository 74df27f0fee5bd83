/** Questions that only a person can answer: asked by an agent, or by the coordinator when it cannot go on alone. */
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import { sentence } from "../std/sentence.ts";
import { auditorsOf, developersOf } from "./agent-for.ts";
import type { Admitted, Door } from "./command.ts";
import type { Decider } from "./decider.ts";
import type { Event, Events, QuestionId, Told } from "./event.ts";
import { broughtBack } from "./standing.ts";
import {
  allowanceKey,
  type OwnQuestion,
  type OwnState,
  type OwnTask,
  type Question,
  type State,
  type Task,
} from "./state.ts";
import { enter, known, own } from "./tasks.ts";

export const giveUpAnswer = "give up";
export const retryAnswer = "retry";

export function nextQuestion(state: State): QuestionId {
  return `q${state.questions.size + 1}` as QuestionId;
}

/** A task that went as far as it may alone. The first line is the question; what was seen follows in lines of its own. */
export function giveUp(state: State, task: Task, reason: string): Event[] {
  const id = task.facts.task;
  const question = nextQuestion(state);
  const [first = "", ...seen] = reason.split("\n");
  const asked = `${sentence(first)} What now? An answer other than "${giveUpAnswer}" is given to the agent for another try.`;
  const text = [asked, ...seen].join("\n");
  return [
    { event: "task_failed", data: { task: id, reason } },
    { event: "question_asked", data: { question, task: id, text, options: [retryAnswer, giveUpAnswer] } },
  ];
}

type Of<Name extends Door["command"]> = Extract<Door, { command: Name }>;

export function admitAnswer(state: State, { question: id, answer, by }: Of<"answer">): Admitted {
  const question = openQuestion(state, id, "answer");
  if ("refused" in question) return question;
  const { task } = question;
  const answered: Event = { event: "divine_response_received", data: { question: id, answer, by } };
  const isHeld = known(state, task).phase.name === "held";
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

/** Whoever says that a task is to be tried again says so of its agents too. */
function retried(state: State, id: TaskId, { by, afresh }: Pick<Of<"retry">, "by" | "afresh">): Event[] {
  const task = known(state, id);
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

/** The question, when a decision of that sort may be taken on it. */
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
  const { phase } = known(state, id);
  // To try again is the answer to why nobody is left for it.
  if (phase.name === "held" && !afresh && state.questions.get(phase.question)?.agents)
    return admitAnswer(state, { command: "answer", question: phase.question, answer: retryAnswer, by });
  if (phase.name !== "failed")
    return { refused: "illegal-transition", task: id, from: phase.name, to: "working" };
  return [...withdrawn(state, id, "the task was retried"), ...retried(state, id, { by, afresh })];
}

/** Open questions of a task that nobody needs to answer any more. */
export function withdrawn(state: State, task: TaskId, reason: string): Event[] {
  return [...state.index.openQuestions].flatMap((question) =>
    state.questions.get(question)?.task === task
      ? [{ event: "question_withdrawn", data: { question, reason } } as const]
      : [],
  );
}

export function onGuidance(state: OwnState, data: Events["agent_seeks_guidance"]): void {
  const { question, task: id, agent, text, options } = data;
  ask(state, { question, kind: "guidance", task: id, agent, text, options });
  const task = own(state, id);
  const next = task.phase.name === "auditing" ? "audit" : "work";
  if (task.phase.name === "working" || task.phase.name === "auditing")
    if (task.phase.step === "collect") state.replies.delete(task.phase.turn);
  task.counts.repliesRefused = 0;
  if (task.desk) task.desk = { ...task.desk, keep: true };
  enter(state, task, { name: "held", question, resumes: next });
}

export function onQuestion(
  state: OwnState,
  { question, task: id, text, options, agents }: Events["question_asked"],
): void {
  ask(state, { question, kind: "trouble", task: id, text, options, agents });
  const task = own(state, id);
  if (task.phase.name === "failed") enter(state, task, { ...task.phase, question });
  else
    enter(state, task, {
      name: "held",
      question,
      resumes: task.phase.name === "auditing" ? "audit" : "work",
    });
}

export function onConfirmationRequested(state: OwnState, data: Events["confirmation_requested"]): void {
  const { question, task: id, turn, digest, items } = data;
  const text = "The agent wants to do what only a person may allow.";
  ask(state, { question, kind: "confirmation", task: id, text, options: [], items, digest });
  enter(state, own(state, id), { name: "held", question, resumes: "collect", turn });
}

export function onAnswered(
  state: OwnState,
  { question: id, answer, by }: Events["divine_response_received"],
): void {
  const question = decide(state, id, { text: answer, by });
  const isPlain = [giveUpAnswer, retryAnswer].includes(answer.trim().toLowerCase());
  if (question.kind === "trouble" && isPlain) return;
  own(state, question.task).guidance.push({ question: question.text, answer });
}

export function onResumesWithGuidance(
  state: OwnState,
  { question, task: id }: Events["agent_resumes_with_guidance"],
): void {
  const task = own(state, id);
  // Whoever did not fit the task may fit it with what the person said.
  if (state.questions.get(question)?.agents) task.unfit = [];
  goOn(state, task);
}

function goOn(state: OwnState, task: OwnTask): void {
  assert(task.phase.name === "held", "whoever is answered was held");
  if (task.phase.resumes === "audit") enter(state, task, { name: "auditing", step: "due" });
  else enter(state, task, { name: "working", step: "due" });
}

export function onConfirmed(state: OwnState, { question: id, by }: Events["confirmation_given"]): void {
  const question = decide(state, id, { text: "confirmed", by });
  const task = own(state, question.task);
  if (task.phase.name !== "held" || task.phase.turn === undefined) return;
  task.allowed = [...new Set([...task.allowed, ...question.items.map(allowanceKey)])];
  enter(state, task, { name: "working", step: "collect", turn: task.phase.turn });
}

export function onDenied(state: OwnState, { question: id, reason, by }: Events["confirmation_denied"]): void {
  const question = decide(state, id, { text: `denied: ${reason}`, by });
  const task = own(state, question.task);
  if (task.phase.name !== "held") return;
  if (task.phase.turn !== undefined) state.replies.delete(task.phase.turn);
  task.feedback = [denial(question.items, reason)];
  if (task.desk) task.desk = { ...task.desk, keep: true };
  enter(state, task, { name: "working", step: "due" });
}

function denial(items: readonly Told[], reason: string): Told {
  const paths = items.flatMap(({ path }) => path ?? []).join(", ");
  return {
    code: "DENIED",
    message: `a person did not allow the change of ${paths}${reason === "" ? "" : `: ${reason}`}`,
    hint: "Do the task without it, or say TASK INCOMPLETE with the reason.",
  };
}

export function onWithdrawn(state: OwnState, { question: id, reason }: Events["question_withdrawn"]): void {
  const question = state.questions.get(id);
  assert(question, `the question ${id} was asked`);
  question.decision = { withdrawn: reason };
  close(state, id);
  // What held its task was who is missing; all else that withdraws a question says itself where its task goes.
  const task = own(state, question.task);
  if (question.agents && task.phase.name === "held") goOn(state, task);
}

/** Nobody judged it: whoever tries again goes on with the audit. */
export function onFailed(state: OwnState, { task: id, reason }: Events["task_failed"]): void {
  const task = own(state, id);
  const { phase } = task;
  const isUnjudged = phase.name === "auditing" || (phase.name === "held" && phase.resumes === "audit");
  enter(state, task, { name: "failed", reason, resumes: isUnjudged ? "audit" : "work" });
}

export function onRetried(state: OwnState, { task: id, afresh }: Events["task_retried"]): void {
  const task = own(state, id);
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
  task.unfit = [];
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

type Asked = Omit<OwnQuestion, "asked" | "decision" | "items" | "digest" | "agent" | "agents"> &
  Partial<Pick<OwnQuestion, "items" | "digest" | "agent" | "agents">>;

function ask(state: OwnState, asked: Asked): void {
  const none = { agent: undefined, items: [], digest: undefined, agents: undefined };
  const rest = { ...none, asked: state.time, decision: undefined };
  const question = { ...rest, ...asked };
  state.questions.set(asked.question, question);
  indexQuestion(state, question);
}

/** Puts an open one into the sets it belongs to. */
export function indexQuestion({ index }: OwnState, { question, agents }: OwnQuestion): void {
  index.openQuestions.add(question);
  if (agents) index.askedForAgents.add(question);
}

function close({ index }: OwnState, id: QuestionId): void {
  index.openQuestions.delete(id);
  index.askedForAgents.delete(id);
}

function decide(state: OwnState, id: QuestionId, decision: { text: string; by: Decider }): OwnQuestion {
  const question = state.questions.get(id);
  assert(question, `the question ${id} was asked`);
  question.decision = decision;
  close(state, id);
  return question;
}
