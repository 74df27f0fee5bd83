/** The run as a whole: its beginning, its writers, pauses and its end. */
import type { Admitted, Door, Refusal } from "./command.ts";
import type { Event, Events } from "./event.ts";
import { canFinish, isComplete } from "./finish.ts";
import { emptyIndex, takeInTasks } from "./initial.ts";
import { indexQuestion } from "./questions.ts";
import type { OwnState, State } from "./state.ts";
import { atRest, countLevel, indexTask, isOpen } from "./tasks.ts";
import { lostTurns } from "./turns.ts";

type Of<Name extends Door["command"]> = Extract<Door, { command: Name }>;

export function admitStart(state: State, { run }: Of<"start">): Admitted {
  if (state.run) return { refused: "run-already-started" };
  return [{ event: "run_started", data: run }];
}

export function admitSession(
  state: State,
  { pid, version, replayed, recovered }: Of<"open-session">,
): Admitted {
  const opened: Event[] = [
    { event: "session_started", data: { pid, version, resumes: state.sessions } },
    ...recovered.map((reason) => ({ event: "state_recovery_needed", data: { reason } }) as const),
  ];
  if (replayed > 0) opened.push({ event: "state_reconstructed", data: { events_replayed: replayed } });
  return [...opened, ...lostTurns(state)];
}

export function admitLeaving({ status, index }: State): Admitted {
  const isWaiting = status.name === "running" && index.openQuestions.size > 0;
  return isWaiting ? [{ event: "session_ended", data: { why: "waiting" } }] : [];
}

export function admitConfinement(state: State, { holds }: Of<"find-confinement">): Admitted {
  return holds === state.isConfined ? [] : [{ event: "confinement_found", data: { holds } }];
}

export function admitPause(state: State, { reason, detail, by }: Of<"pause">): Admitted {
  if (state.status.name === "paused") return [];
  if (state.status.name !== "running") return notWhile(state);
  return [{ event: "run_paused", data: { reason, detail, by } }];
}

export function admitResume(state: State, { by, budget }: Of<"resume">): Admitted {
  const { name } = state.status;
  if (name === "running" && budget === undefined) return [];
  const why = name === "finished" ? whyOver(state) : undefined;
  if (why !== undefined) return { refused: "not-possible-now", why };
  return [{ event: "run_resumed", data: { by, ...(budget === undefined ? {} : { budget }) } }];
}

/** A run whose last verification failed may try that again; every other end stays until a task is retried or taken back. */
function whyOver(state: State): string | undefined {
  if (isComplete(state))
    return state.finalVerify?.passed === false ? undefined : "every task of the run is verified";
  const failed = [...state.tasks.values()].flatMap(({ facts, phase }) =>
    phase.name === "failed" ? [facts.task] : [],
  );
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : "";
  return `nothing can go on before a task that failed is retried: ${failed.slice(0, 3).join(", ")}${more}`;
}

function notWhile({ status }: State): Refusal {
  return { refused: "not-possible-now", why: `the run is ${status.name}` };
}

export function admitStop(state: State, { by }: Of<"stop">): Admitted {
  if (state.status.name === "stopped") return [];
  if (state.status.name === "finished") return notWhile(state);
  return [{ event: "run_stopped", data: { by } }];
}

export function admitHoldForBudget(state: State, detail: string): Admitted {
  if (state.status.name !== "running") return notWhile(state);
  return [{ event: "run_paused", data: { reason: "budget", detail } }];
}

export function admitFinish(state: State): Admitted {
  if (state.status.name !== "running") return notWhile(state);
  if (!canFinish(state)) return { refused: "not-possible-now", why: "something is left to do" };
  const isDone = isComplete(state) && state.finalVerify?.passed !== false;
  return [{ event: "run_finished", data: { outcome: isDone ? "done" : "failed", tip: state.tip } }];
}

export function onRunStarted(state: OwnState, { tasks, ...run }: Events["run_started"]): void {
  state.run = run;
  state.tip = run.base;
  state.tipTree = run.base_tree;
  state.budget = run.settings.budget;
  state.status = { name: "running" };
  for (const task of takeInTasks({ tasks, settings: run.settings })) {
    task.phase = task.facts.done ? { name: "verified" } : atRest(task);
    state.tasks.set(task.facts.task, task);
  }
  indexTasks(state);
}

/** Makes everything anew that only makes answers quick. */
export function indexTasks(state: OwnState): void {
  state.index = emptyIndex(state.tasks.size);
  const byRank = [...state.tasks.values()].sort((one, other) => one.rank - other.rank);
  state.index.byRank = byRank;
  const levels = byRank.reduce((highest, { level }) => Math.max(highest, level + 1), 0);
  state.index.openByLevel = new Array(levels).fill(0);
  state.index.level = levels;
  const bySince = [...byRank].sort((one, other) => one.since - other.since);
  for (const task of bySince) {
    state.index.counts[task.phase.name] += 1;
    if (isOpen(task.phase)) countLevel(state, task.level, 1);
    indexTask(state, task);
  }
  for (const question of state.questions.values()) if (!question.decision) indexQuestion(state, question);
}

export function onResumed(state: OwnState, { budget }: Events["run_resumed"]): void {
  state.status = { name: "running" };
  if (budget) state.budget = { ...state.budget, ...budget };
  if (state.finalVerify?.passed === false) state.finalVerify = undefined;
}

export function onStopped(state: OwnState): void {
  state.status = { name: "stopped" };
  for (const turn of state.turns.values()) turn.unwanted ??= "the run was stopped";
}
