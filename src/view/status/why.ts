/**
 * `cox why TASK`: why a task is where it is, and what would move it on. There is an answer for every phase of a task and
 * every state of a run. A waiting task is traced to the task at the root of the wait.
 */
import { giveUpAnswer } from "../../kernel/rules/questions.ts";
import { evidenceKey, type Question, type State, type Task } from "../../kernel/state.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { firstLine, oneLine, printableLines } from "../../std/printable.ts";
import { agentActionWords, agentRows, attemptsMax, lastSignWords } from "../agents/agent-rows.ts";
import { turnWords } from "../log/log-counts.ts";
import { answerCommands, lookCommand } from "../questions.ts";
import { duration } from "../text/duration.ts";
import { outsideFacts } from "../unconfined.ts";
import { type AwayAgent, awayWords, limitedAccountWords } from "./availability-words.ts";
import { blockerOf, unmet } from "./blocker.ts";
import type { RunSnapshot } from "./liveness.ts";
import { rootCauses } from "./root-causes.ts";
import { isWaitingForPerson, runHeadline } from "./run-headline.ts";
import { type PhaseWord, phaseWord, type Status, statusOf } from "./status-words.ts";
import { named, shortSha, taskWords } from "./task-words.ts";

export interface Why {
  readonly task: string;
  readonly title: string;
  readonly phase: PhaseWord;
  readonly status: Status;
  /** One sentence. */
  readonly answer: string;
  /** The facts behind it, most telling first. */
  readonly facts: readonly string[];
  /** The last lines that a verify command printed, if that is what was found. */
  readonly output: readonly string[];
  /** What to type, and what it does. */
  readonly next: readonly { readonly command: string; readonly does: string }[];
}

export function why(task: Task, seen: RunSnapshot): Why {
  const { facts, phase } = task;
  const reason = reasonOf(task, seen);
  const run = phase.name === "done" || phase.name === "failed" ? nothingMore : runReason(task, seen);
  const output = phase.name === "done" ? [] : printedBy(task);
  return {
    task: facts.task,
    title: facts.title,
    phase: phaseWord(phase),
    status: statusOf(phase),
    answer: reason.answer,
    facts: [...run.facts, ...reason.facts, ...noteFacts(task), ...outsideFacts(seen.state, task)],
    output,
    next: [...run.next, ...reason.next, ...(output.length === 0 ? [] : [allOutput(facts.task)])],
  };
}

const notesMax = 5;

/** Notes of its agents in accepted replies, and how they were settled. */
function noteFacts({ work }: Task): string[] {
  const notes = work?.notes ?? [];
  const facts = notes.slice(0, notesMax).map(({ description, status, resolution }) => {
    const how = status === "resolved" ? "settled by its agent" : "settled by an answer";
    const resolutionWords = resolution === undefined ? "" : ` – ${firstLine(resolution, 200)}`;
    return `note, ${how}: ${firstLine(description, 300)}${resolutionWords}`;
  });
  const left = notes.length - facts.length;
  return left > 0 ? [...facts, `… ${counted(left, "more note")}`] : facts;
}

const outputLinesMax = 12;

/** The lines below the first line of our own finding; the end is the most useful. */
function printedBy({ feedback }: Task): string[] {
  const finding = feedback.find(({ code }) => code.startsWith("VERIFY_"));
  const [, ...lines] = printableLines(finding?.message ?? "", { lines: 10_000, width: 300 });
  return lines.slice(-outputLinesMax);
}

function allOutput(task: string) {
  return { command: `cox why ${task} --output`, does: "everything its verify commands printed" };
}

type Reason = Pick<Why, "answer" | "facts" | "next">;
const nothingMore: Omit<Reason, "answer"> = { facts: [], next: [] };

/** If the run does not continue, that comes first: nothing else matters until it does. */
function runReason({ phase }: Task, seen: RunSnapshot): Omit<Reason, "answer"> {
  const { state, liveness } = seen;
  const { words, detail, command } = runHeadline(seen);
  if (state.status.name === "running" && liveness.isAlive) return nothingMore;
  if (isWaitingForPerson(state))
    return {
      facts: [`the run waits for you: ${named([...state.index.openQuestions])} is not answered`],
      next:
        phase.name === "held"
          ? []
          : [{ command: "cox questions", does: "the open questions, and how to answer" }],
    };
  const fact = detail === undefined ? `the run is ${words}` : `the run is ${words}: ${detail}`;
  return {
    facts: [fact],
    next: command?.startsWith("cox resume") ? [{ command, does: "resume the run" }] : [],
  };
}

function reasonOf(task: Task, seen: RunSnapshot): Reason {
  const { phase } = task;
  switch (phase.name) {
    case "waiting":
      return waitingReason(task, seen);
    case "ready":
      return dueReason(task, seen, "everything it depends on is done");
    case "working":
      if (phase.step === "due") return dueReason(task, seen, `${turnsWord(task)} is due`);
      return phase.step === "turn" ? turnReason(task, seen) : plainReason(task, seen);
    case "auditing":
      if (phase.step === "due") return dueReason(task, seen, "its work is verified and is to be audited");
      return phase.step === "turn" ? turnReason(task, seen) : plainReason(task, seen);
    case "integrating":
    case "reverting":
      return plainReason(task, seen);
    case "held":
      return heldReason(seen.state.questions.get(phase.question), seen);
    case "failed":
      return failedReason(task, phase, seen);
    case "done":
      return verifiedReason(task, seen.state);
    default:
      return unreachable(phase);
  }
}

const rootsMax = 3;

function waitingReason(task: Task, seen: RunSnapshot): Reason {
  const { state } = seen;
  const missing = unmet(state, task);
  const each = missing.slice(0, 5).map((id) => {
    const other = state.tasks.get(id);
    return `${oneLine(id, 60)}: ${other ? taskWords(other, seen) : "not in the plan"}`;
  });
  const roots = rootCauses(state, task);
  const deeper = roots.filter(({ path }) => path.length > 2).slice(0, rootsMax);
  const rootFacts = deeper.map(({ path, root }) => `in the end: ${wayWords(path)}: ${taskWords(root, seen)}`);
  const first = roots[0];
  const answer = `it waits for ${named(missing, 5)}, not done yet`;
  if (!first) return { answer, facts: each, next: [] };
  // What frees the root frees everything that waits for it.
  const own = reasonOf(first.root, seen).next;
  const next =
    own.length > 0
      ? own
      : [{ command: `cox why ${first.root.facts.task}`, does: "why that one is not done yet" }];
  return { answer, facts: [...each, ...rootFacts], next };
}

/** "d ← c ← b ← a"; a long path shows only its two ends. */
function wayWords(path: readonly string[]): string {
  const left = path.length - 5;
  const shown = left > 1 ? [...path.slice(0, 2), `${left} more`, ...path.slice(-3)] : path;
  return shown.map((id) => oneLine(id, 40)).join(" ← ");
}

function dueReason(task: Task, seen: RunSnapshot, because: string): Reason {
  const { state } = seen;
  const blocker = blockerOf(seen, task);
  const feedback = feedbackFacts(task);
  const reason = (answer: string, next: Reason["next"] = []): Reason => ({ answer, facts: feedback, next });
  switch (blocker.name) {
    case "run":
      return reason(`${because}, but the run is not running`);
    case "hold-all":
      return reason(
        `${because}; the plan says on_question: hold-all, and ${named(blocker.questions)} is not answered`,
        blocker.questions.flatMap((id) => commandsForId(state, id)),
      );
    case "ending":
      return reason(`${because}; an agent that works on an older state of it is being stopped first`);
    case "dependencies":
      return reason(
        `${because}; ${named(blocker.on)}, which it builds on, is being reverted`,
        blocker.on.slice(0, 1).map(whyOther),
      );
    case "level":
      return reason(
        `${because}; it is of level ${task.level + 1}, and ${counted(blocker.open, "task")} of level ${blocker.level + 1} must be done first (schedule: levels)`,
      );
    case "files":
      return reason(
        `${because}; ${oneLine(blocker.by, 60)} has the same files until it is done (${oneLine(blocker.pattern, 80)})`,
        [whyOther(blocker.by)],
      );
    case "resource":
      return reason(
        `${because}; ${oneLine(blocker.by, 60)} has ${oneLine(blocker.resource, 80)} until it is done, which they share`,
        [whyOther(blocker.by)],
      );
    case "agents":
      return reason(`${because}; ${awayWords(blocker.away).join(", ")}`, askedFor(state, blocker.away));
    case "account":
      return reason(
        `${because}; held: ${limitedAccountWords(blocker.held)}, and ${counted(blocker.held.in_flight, "turn")} of it under way; three replies allow one more`,
      );
    case "slots":
      return reason(
        `${because}; no slot is free: ${counted(state.turns.size, "agent")} at work of ${blocker.slots} (active_developers)`,
      );
    case "finished-work":
      return reason(
        `${because}; ${counted(blocker.finished, "finished task")} must be verified and integrated first: no new task starts while more than ${blocker.slots} (active_developers) wait`,
      );
    case "budget":
      return reason(
        `${because}; what is left of the budget is set aside for the turns under way (${oneLine(blocker.detail, 120)})`,
      );
    case "nothing":
      return reason(`${because}; a slot is free, so it is next`);
    default:
      return unreachable(blocker);
  }
}

/** The question about agents that are out was already asked for another task. */
function askedFor(state: State, away: readonly AwayAgent[]): Reason["next"] {
  for (const id of state.index.askedForAgents) {
    const question = state.questions.get(id);
    if (question && away.some(({ agent }) => question.agents?.includes(agent))) return commandsFor(question);
  }
  return [];
}

function turnsWord({ turnsOfAttempt, attempt }: Task): string {
  return turnsOfAttempt === 0 ? `attempt ${attempt}` : `another turn of attempt ${attempt}`;
}

function whyOther(task: string) {
  return { command: `cox why ${task}`, does: "how far that one is" };
}

/** An agent is working on it. */
function turnReason(task: Task, seen: RunSnapshot): Reason {
  const row = agentRows(seen).find((one) => one.task === task.facts.task);
  if (!row) return plainReason(task, seen);
  const heard = lastSignWords(row);
  const attempts = turnWords(row.attempt, row.turn_of_attempt);
  const doing = row.role === "auditor" ? "audits it" : "works on it";
  return {
    answer: `${oneLine(row.agent, 40)} ${doing} for ${duration(row.running_ms)} (${attempts})`,
    facts: [
      `last: ${agentActionWords(row)}${heard === "" ? "" : `, ${heard}`}`,
      `it is ended after ${duration(row.timeout_ms)}, or after ${duration(row.stall_ms)} of silence`,
      ...countFacts(task, seen.state),
      ...feedbackFacts(task),
    ],
    next: [],
  };
}

/** Counts that lead to a question to a person if this continues. */
function countFacts(task: Task, state: State): string[] {
  const { roundsFailed, turnsLost, auditTurnsLost } = task.counts;
  const lost = Math.max(turnsLost, auditTurnsLost);
  const turnsMax = state.run?.settings.turn_attempts ?? 0;
  return [
    ...(roundsFailed === 0
      ? []
      : [
          `${roundsFailed} of ${counted(attemptsMax(state, task), "attempt")} failed; after them you are asked`,
        ]),
    ...(lost === 0
      ? []
      : [`${lost} of ${counted(turnsMax, "turn")} in a row lost; after them you are asked`]),
  ];
}

function plainReason(task: Task, seen: RunSnapshot): Reason {
  return { answer: taskWords(task, seen), facts: feedbackFacts(task), next: [] };
}

const feedbackMax = 5;

/** Why the last attempt was not good enough, except what was already said. */
function feedbackFacts({ feedback: all }: Task, said = ""): string[] {
  const feedback = all.filter(({ message }) => !said.includes(message));
  const facts = feedback.slice(0, feedbackMax).map(({ path, message }) => {
    const where = path === undefined || message.includes(path) ? "" : `${oneLine(path, 120)}: `;
    return `found in the last attempt: ${where}${firstLine(message, 400)}`;
  });
  const left = feedback.length - facts.length;
  return left > 0 ? [...facts, `… ${counted(left, "more finding")}`] : facts;
}

/** The full text of a long question is in `cox questions --json`. */
const textLinesMax = 12;

function heldReason(question: Question | undefined, { now }: RunSnapshot): Reason {
  if (!question) return { answer: "it waits for a person", facts: [], next: [] };
  const { question: id, agent, kind, text, options, items, askedAt } = question;
  const who = agent === undefined ? "the coordinator" : oneLine(agent, 40);
  const what = kind === "confirmation" ? "what only you may allow" : "something only you can answer";
  return {
    answer: `it waits for you: ${id} was asked by ${who} ${duration(now.at - askedAt)} ago, ${what}`,
    facts: [
      ...printableLines(text, { lines: textLinesMax, width: 600 }),
      ...options.slice(0, 9).map((option) => `option: ${oneLine(option, 200)}`),
      ...items.slice(0, feedbackMax).map(({ message }) => `wanted: ${oneLine(message, 300)}`),
    ],
    next: commandsFor(question),
  };
}

function commandsForId(state: State, id: string): Reason["next"] {
  const question = [...state.questions.values()].find((one) => one.question === id);
  return question ? commandsFor(question) : [];
}

function commandsFor(question: Pick<Question, "question" | "kind" | "task">): Reason["next"] {
  const does =
    question.kind === "confirmation" ? ["allow it", "deny it; the agent gets your reason"] : ["answer"];
  const look = lookCommand(question);
  return [
    ...(look === undefined ? [] : [{ command: look, does: "what would be changed" }]),
    ...answerCommands(question).map((command, at) => ({ command, does: does[at] ?? "" })),
  ];
}

function failedReason(task: Task, { reason }: { readonly reason: string }, { state }: RunSnapshot): Reason {
  const { facts, downstream } = task;
  const open = [...state.questions.values()].find((one) => one.task === facts.task && !one.decision);
  const held =
    downstream === 0 ? [] : [`${counted(downstream, "task")} ${downstream === 1 ? "waits" : "wait"} for it`];
  const missing = unmet(state, task);
  const first = missing.length === 0 ? [] : [`it needs ${named(missing)} first`];
  return {
    answer: `it failed: ${firstLine(reason, 600)}`,
    facts: [...feedbackFacts(task, reason), ...held, ...first],
    next: [
      ...(open
        ? [
            { command: `cox answer ${open.question} "…"`, does: "try again with your advice" },
            { command: `cox answer ${open.question} "${giveUpAnswer}"`, does: "leave it failed" },
          ]
        : []),
      { command: `cox retry ${facts.task}`, does: "try again, keeping its desk" },
      { command: `cox retry ${facts.task} --afresh`, does: "try again from the beginning" },
    ],
  };
}

function verifiedReason({ facts, phase }: Task, state: State): Reason {
  const commit = phase.name === "done" ? phase.commit : undefined;
  if (!commit) return { answer: "it was done before the run began", facts: [], next: [] };
  const evidence = state.evidence.get(evidenceKey(commit.tree, facts.verify));
  const ran = (evidence?.commands ?? []).map(
    ({ command, exit, ms }) => `${oneLine(command, 200)}: exit ${exit} after ${duration(ms)}`,
  );
  return {
    answer: `it is done: committed as ${shortSha(commit.sha)}`,
    facts: [
      ...ran,
      ...(ran.length === 0 ? ["not verified: the plan has no verify command for it"] : []),
      `${counted(commit.files.length, "file")}: ${named(commit.files, 5)}`,
    ],
    next: [
      { command: `cox diff ${facts.task}`, does: "what it changed" },
      { command: `cox rollback ${facts.task}`, does: "revert it" },
    ],
  };
}
