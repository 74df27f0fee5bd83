/**
 * `cox status`: one screen that shows first what needs a person, then what is under way, what waits, what is done, and
 * what failed. The document has every task; the text folds what does not fit.
 */
import type { State, Task } from "../../kernel/state.ts";
import { oneLine } from "../../std/printable.ts";
import { type AgentRow, agentRows, attemptsMax } from "../agents/agent-rows.ts";
import { type CostDocument, costDocument, costOf } from "../cost/cost.ts";
import { type OpenQuestion, openQuestions } from "../questions.ts";
import { isoTime } from "../run-times.ts";
import { runTitle } from "../run-title.ts";
import { outsideDocument } from "../unconfined.ts";
import { type AwayAgent, awayAgents, type LimitedAccountRow, limitedAccounts } from "./availability-words.ts";
import { unmet } from "./blocker.ts";
import { type Group, groupCounts, groupOf } from "./groups.ts";
import { absentMs, lastAliveAt, type RunSnapshot } from "./liveness.ts";
import { type Headline, isWaitingForPerson, runHeadline } from "./run-headline.ts";
import { type PhaseWord, phaseWord, type Status, statusOf } from "./status-words.ts";
import { taskWords } from "./task-words.ts";

export interface StatusDocument {
  readonly run: string | null;
  readonly title: string | null;
  readonly plan_file: string | null;
  readonly branch: string | null;
  readonly tip: string;
  readonly last_seq: number;
  /** `waiting`: it is running, but nothing can continue until a person answers. */
  readonly status: State["status"]["name"] | "waiting";
  /** Whether a process is working on it. */
  readonly alive: boolean;
  /** When a coordinator last did something and, if none is running, how long ago that was. */
  readonly last_alive_at: string | null;
  readonly absent_ms: number | null;
  /** Whether a sandbox confines agents to their desks. */
  readonly confined: boolean;
  /** Confined, but what agents write to package caches is kept. */
  readonly without_layers: boolean;
  /** The newest changes found outside the desks while there was no sandbox. */
  readonly outside: readonly { readonly task: string; readonly code: string; readonly path: string | null }[];
  /** Whether the verify commands passed at the commit the run starts from; null if they were not run there. */
  readonly base_verify: { readonly passed: boolean; readonly why: string } | null;
  readonly headline: {
    readonly words: string;
    readonly detail: string | null;
    readonly command: string | null;
  };
  readonly elapsed_ms: number;
  readonly spent: Amounts & CostDocument & { readonly usd_micros_estimated: number };
  readonly limit: { readonly [Name in keyof Amounts | "usd_micros"]: number | null };
  readonly slots: number;
  readonly total: number;
  readonly counts: Record<Group, number>;
  readonly questions: readonly OpenQuestion[];
  readonly agents: readonly AgentRow[];
  /** Agents that cannot be dispatched now. */
  readonly away: readonly AwayAgent[];
  /** Accounts that allow fewer agents at once since a rate limit. */
  readonly accounts: readonly LimitedAccountRow[];
  readonly tasks: readonly TaskDocument[];
}

export interface Amounts {
  readonly turns: number;
  readonly tokens: number;
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
  readonly phase: PhaseWord;
  readonly words: string;
  readonly attempt: number;
  readonly attempts_max: number;
  readonly waits_for: readonly string[];
  readonly question: string | null;
  readonly commit: string | null;
  readonly files: readonly string[];
  readonly downstream: number;
}

export function statusDocument(seen: RunSnapshot): StatusDocument {
  const { state, liveness } = seen;
  const { run, budget, spent } = state;
  const headline = runHeadline(seen);
  return {
    run: run?.run ?? null,
    title: run ? runTitle(run) : null,
    plan_file: run?.plan_file ?? null,
    branch: run?.branch ?? null,
    tip: state.tip,
    last_seq: state.seq,
    status: isWaitingForPerson(state) ? "waiting" : state.status.name,
    alive: liveness.isAlive,
    last_alive_at: run ? isoTime(lastAliveAt(seen)) : null,
    absent_ms: run ? (absentMs(seen) ?? null) : null,
    confined: state.isConfined,
    without_layers: state.isWithoutLayers,
    outside: outsideDocument(state),
    base_verify: baseDocument(state),
    headline: headlineDocument(headline),
    elapsed_ms: elapsedMs(seen),
    spent: {
      turns: spent.turns,
      tokens: spent.tokens,
      ...costDocument(costOf(spent)),
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
    accounts: limitedAccounts(state),
    tasks: [...state.tasks.values()].map((task) => taskDocument(task, seen)),
  };
}

function baseDocument({ baseVerify }: State): StatusDocument["base_verify"] {
  return baseVerify ? { passed: baseVerify.passed, why: oneLine(baseVerify.why, 500) } : null;
}

function headlineDocument({ words, detail, command }: Headline) {
  return { words, detail: detail ?? null, command: command ?? null };
}

/** Run time so far: it stands still while nobody works on the run, and never goes back. */
export function elapsedMs({ state, now }: RunSnapshot): number {
  return state.status.name === "running" ? Math.round(Math.max(now.time, state.time)) : state.time;
}

function taskDocument(task: Task, seen: RunSnapshot): TaskDocument {
  const { facts, phase } = task;
  const commit = phase.name === "done" || phase.name === "reverting" ? phase.commit : undefined;
  return {
    task: facts.task,
    task_id: facts.task_id,
    title: facts.title,
    agent: facts.agent,
    auditor: facts.auditor ?? null,
    group: groupOf(seen.state, task),
    status: statusOf(phase),
    phase: phaseWord(phase),
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
