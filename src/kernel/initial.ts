/** The state before anything has happened, and the tasks as they enter a run. */
import { downstreamCounts } from "../plan/check/downstream.ts";
import { makeGraph, orderOf } from "../plan/check/graph.ts";
import type { TaskId } from "../plan/plan.ts";
import type { Priority } from "../plan/value-readers.ts";
import { noCommit, noTree } from "../std/object-id.ts";
import { RankSet } from "./rules/turn/rank-set.ts";
import type { RecordedTask, RunStarted } from "./run-started.ts";
import type { Index, MutableState, MutableTask, TotalSpending } from "./state.ts";

export function initialState(): MutableState {
  return {
    run: undefined,
    seq: 0,
    time: 0,
    at: 0,
    sessions: 0,
    resumes: 0,
    wasHalted: false,
    isConfined: true,
    isWithoutLayers: false,
    outside: { count: 0, items: [] },
    status: { name: "none" },
    tasks: new Map(),
    turns: new Map(),
    replies: new Map(),
    questions: new Map(),
    availability: new Map(),
    accounts: new Map(),
    tip: noCommit,
    tipTree: noTree,
    evidence: new Map(),
    spent: nothingSpent(),
    budget: {},
    queue: [],
    landing: undefined,
    landed: [],
    finalVerify: undefined,
    baseVerify: undefined,
    requests: new Set(),
    index: emptyIndex(0),
  };
}

export function emptyIndex(size: number): Index {
  return {
    byRank: [],
    ready: new RankSet(size),
    dueWork: new Set(),
    dueAudits: new Set(),
    verifying: new Set(),
    reserving: new Set(),
    counts: {
      waiting: 0,
      ready: 0,
      working: 0,
      auditing: 0,
      integrating: 0,
      held: 0,
      failed: 0,
      done: 0,
      reverting: 0,
    },
    openByLevel: [],
    level: 0,
    openQuestions: new Set(),
    askedForAgents: new Set(),
  };
}

/**
 * Computes exact downstream counts, levels and the order of selection, once. Tasks that unblock the most others come
 * first, then the plan's priority, then its order; if levels are barriers, the level comes before all of these.
 */
export function takeInTasks({ tasks, settings }: Pick<RunStarted, "tasks" | "settings">): MutableTask[] {
  const positions = new Map(tasks.map(({ task }, position) => [task, position]));
  const graph = makeGraph(
    tasks.map(({ depends_on }) => depends_on.flatMap((name) => positions.get(name) ?? [])),
  );
  const { levels } = orderOf(graph);
  const downstream = downstreamCounts(graph);
  const idOf = (position: number) => (tasks[position] as RecordedTask).task;
  const taken = tasks.map((facts, position) =>
    newTask(facts, {
      position,
      level: levels[position] ?? 0,
      downstream: downstream[position] ?? 0,
      dependents: (graph.dependents[position] ?? []).map(idOf),
    }),
  );
  const byLevel = settings.schedule === "levels";
  const order = [...taken].sort(
    (one, other) =>
      (byLevel ? one.level - other.level : 0) ||
      other.downstream - one.downstream ||
      priorityRank[one.facts.priority] - priorityRank[other.facts.priority] ||
      one.position - other.position,
  );
  order.forEach((task, rank) => {
    task.rank = rank;
  });
  const done = new Set(taken.flatMap(({ position, facts }) => (facts.done ? [position] : [])));
  for (const task of taken)
    task.unmet = (graph.dependencies[task.position] ?? []).filter((each) => !done.has(each)).length;
  return taken;
}

const priorityRank: Readonly<Record<Priority, number>> = { critical: 0, high: 1, normal: 2, low: 3 };

interface Placed {
  readonly position: number;
  readonly level: number;
  readonly downstream: number;
  readonly dependents: readonly TaskId[];
}

function newTask(facts: RecordedTask, placed: Placed): MutableTask {
  return {
    facts,
    ...placed,
    rank: 0,
    unmet: 0,
    phase: { name: "waiting" },
    since: 0,
    unfitAgents: [],
    conversations: {},
    hasReservation: false,
    attempt: 1,
    turnsOfAttempt: 0,
    auditTurnsOfAttempt: 0,
    counts: { repliesRefused: 0, turnsLost: 0, auditTurnsLost: 0, auditsFailed: 0, roundsFailed: 0 },
    desk: undefined,
    work: undefined,
    feedback: [],
    guidance: [],
    settled: [],
    checkpoint: undefined,
    allowed: [],
    spent: nothingSpent(),
    budgetsGranted: 1,
    outputs: [],
  };
}

function nothingSpent(): TotalSpending {
  return { turns: 0, ms: 0, tokens: 0, usdMicros: 0, turnTokensMax: 0, turnUsdMicrosMax: 0 };
}
