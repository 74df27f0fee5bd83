/**
 * `cox status`: one screen that says first what needs a person, then what is worked on, what waits, what is done, what
 * failed. The document has every task; the text folds what does not fit.
 */
import type { State, Task } from "../kernel/state.ts";
import { oneLine } from "../std/printable.ts";
import { type AgentRow, agentRows, attemptsMax } from "./agent-rows.ts";
import { type Group, groupCounts, groupOf } from "./groups.ts";
import { unmet } from "./hindrance.ts";
import type { Seen } from "./liveness.ts";
import { type OpenQuestion, openQuestions } from "./questions.ts";
import { type Headline, isWaitingForPerson, runHeadline } from "./run-headline.ts";
import { type AwayAgent, awayAgents } from "./standing-words.ts";
import { type Status, statusOf } from "./status-words.ts";
import { taskWords } from "./task-words.ts";
import { outsideDocument } from "./unconfined.ts";

export interface StatusDocument {
  readonly run: string | null;
  readonly title: string | null;
  readonly plan_file: string | null;
  readonly branch: string | null;
  readonly tip: string;
  readonly last_seq: number;
  /** `waiting`: it runs, and nothing can go on before a person answers. */
  readonly status: State["status"]["name"] | "waiting";
  /** Whether a process is at work on it. */
  readonly alive: boolean;
  /** Whether the system holds agents to their desks. */
  readonly confined: boolean;
  /** What was found to have changed outside while it did not; the newest. */
  readonly outside: readonly { readonly task: string; readonly code: string; readonly path: string | null }[];
  /** Whether the verify commands passed on what the run begins at; nothing where they were not run there. */
  readonly base_verify: { readonly passed: boolean; readonly why: string } | null;
  readonly headline: {
    readonly words: string;
    readonly detail: string | null;
    readonly command: string | null;
  };
  readonly elapsed_ms: number;
  readonly spent: Amounts & { readonly usd_micros_estimated: number };
  readonly limit: { readonly [Name in keyof Amounts]: number | null };
  readonly slots: number;
  readonly total: number;
  readonly counts: Record<Group, number>;
  readonly questions: readonly OpenQuestion[];
  readonly agents: readonly AgentRow[];
  /** Those that nobody sends to work now. */
  readonly away: readonly AwayAgent[];
  readonly tasks: readonly TaskDocument[];
}

export interface Amounts {
  readonly turns: number;
  readonly tokens: number;
  readonly usd_micros: number;
  readonly time_ms: number;
}

export interface TaskDocument {
  readonly task: string;
  readonly task_id: string;
  readonly title: string;
  readonly agent: string;
  readonly auditor: string | null;
  readonly group: Group;
  readonly status: Status;
  readonly phase: Task["phase"]["name"];
  readonly words: string;
  readonly attempt: number;
  readonly attempts_max: number;
  readonly waits_for: readonly string[];
  readonly question: string | null;
  readonly commit: string | null;
  readonly files: readonly string[];
  readonly downstream: number;
}

export function statusDocument(seen: Seen): StatusDocument {
  const { state, liveness } = seen;
  const { run, budget, spent } = state;
  const headline = runHeadline(state, liveness);
  return {
    run: run?.run ?? null,
    title: run?.title ?? null,
    plan_file: run?.plan_file ?? null,
    branch: run?.branch ?? null,
    tip: state.tip,
    last_seq: state.seq,
    status: isWaitingForPerson(state) ? "waiting" : state.status.name,
    alive: liveness.isAlive,
    confined: state.isConfined,
    outside: outsideDocument(state),
    base_verify: baseDocument(state),
    headline: headlineDocument(headline),
    elapsed_ms: elapsedMs(seen),
    spent: {
      turns: spent.turns,
      tokens: spent.tokens,
      usd_micros: spent.usdMicros,
      usd_micros_estimated: spent.usdMicrosEstimated ?? 0,
      time_ms: elapsedMs(seen),
    },
    limit: {
      turns: budget.turns ?? null,
      tokens: budget.tokens ?? null,
      usd_micros: budget.usdMicros ?? null,
      time_ms: budget.timeMs ?? null,
    },
    slots: run?.settings.active_developers ?? 0,
    total: state.tasks.size,
    counts: groupCounts(state),
    questions: openQuestions(state, seen.now),
    agents: agentRows(seen),
    away: awayAgents(state, seen.now),
    tasks: [...state.tasks.values()].map((task) => taskDocument(task, seen)),
  };
}

function baseDocument({ baseVerify }: State): StatusDocument["base_verify"] {
  return baseVerify ? { passed: baseVerify.passed, why: oneLine(baseVerify.why, 500) } : null;
}

function headlineDocument({ words, detail, command }: Headline) {
  return { words, detail: detail ?? null, command: command ?? null };
}

/** Time stands still for a run that nobody is at work on. */
export function elapsedMs({ state, now, liveness }: Seen): number {
  const goesOn = liveness.isAlive && state.status.name === "running";
  return goesOn ? Math.max(now.time, state.time) : state.time;
}

function taskDocument(task: Task, seen: Seen): TaskDocument {
  const { facts, phase } = task;
  const commit = phase.name === "verified" || phase.name === "reverting" ? phase.commit : undefined;
  return {
    task: facts.task,
    task_id: facts.task_id,
    title: facts.title,
    agent: facts.agent,
    auditor: facts.auditor ?? null,
    group: groupOf(phase),
    status: statusOf(phase),
    phase: phase.name,
    words: taskWords(task, seen),
    attempt: task.attempt,
    attempts_max: attemptsMax(seen.state, task),
    waits_for: phase.name === "waiting" ? unmet(seen.state, task) : [],
    question: (phase.name === "held" || phase.name === "failed" ? phase.question : undefined) ?? null,
    commit: commit?.sha ?? null,
    files: commit?.files ?? [],
    downstream: task.downstream,
  };
}
