/** The run as a whole: its beginning, its writers, pauses and its end. */
import type { Admitted, ExternalCommand, Refusal } from "../../command.ts";
import type { Event, Events } from "../../event.ts";
import { emptyIndex, takeInTasks } from "../../initial.ts";
import type { MutableState, State } from "../../state.ts";
import { indexQuestion } from "../questions.ts";
import { countLevel, indexTask, isOpen, restingPhase } from "../tasks.ts";
import { lostTurns } from "../turn/turns.ts";
import { canFinish, isComplete } from "./finish.ts";

type Of<Name extends ExternalCommand["command"]> = Extract<ExternalCommand, { command: Name }>;

export function admitStart(state: State, { run }: Of<"start">): Admitted {
  if (state.run) return { refused: "run-already-started" };
  return [{ event: "run_started", data: run }];
}

export function admitSession(
  state: State,
  { pid, version, replayed, recovered, isWorking }: Of<"open-session">,
): Admitted {
  const resumes = state.resumes + (isWorking && state.sessions > 0 ? 1 : 0);
  const opened: Event[] = [
    {
      event: "session_started",
      data: { pid, version, resumes, ...(!isWorking && { only_records: true }) },
    },
    ...recovered.map((reason) => ({ event: "state_recovery_needed", data: { reason } }) as const),
  ];
  if (replayed > 0) opened.push({ event: "state_reconstructed", data: { events_replayed: replayed } });
  return [...opened, ...lostTurns(state)];
}

export function admitLeaving({ status, index }: State): Admitted {
  const isWaiting = status.name === "running" && index.openQuestions.size > 0;
  return isWaiting ? [{ event: "session_ended", data: { why: "waiting" } }] : [];
}

export function admitConfinement(state: State, { holds, hasLayers }: Of<"find-confinement">): Admitted {
  const isWithoutLayers = holds && !hasLayers;
  if (holds === state.isConfined && isWithoutLayers === state.isWithoutLayers) return [];
  return [{ event: "confinement_found", data: { holds, ...(isWithoutLayers && { without_layers: true }) } }];
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

/**
 * A run whose last verification failed may try it again. Any other end lasts until a task is retried or rolled back.
 */
function whyOver(state: State): string | undefined {
  if (isComplete(state))
    return state.finalVerify?.passed === false ? undefined : "every task of the run is done";
  const failed = [...state.tasks.values()].flatMap(({ facts, phase }) =>
    phase.name === "failed" ? [facts.task] : [],
  );
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : "";
  return `nothing can continue until a failed task is retried: ${failed.slice(0, 3).join(", ")}${more}`;
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

export function onRunStarted(state: MutableState, { tasks, ...run }: Events["run_started"]): void {
  state.run = run;
  state.tip = run.base;
  state.tipTree = run.base_tree;
  state.budget = run.settings.budget;
  state.status = { name: "running" };
  for (const task of takeInTasks({ tasks, settings: run.settings })) {
    task.phase = task.facts.done ? { name: "done" } : restingPhase(task);
    state.tasks.set(task.facts.task, task);
  }
  indexTasks(state);
}

/** Rebuilds everything that only speeds up answers. */
export function indexTasks(state: MutableState): void {
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

/** Every working session but the first resumes the run; the resume command that follows does not count again. */
export function onSession(state: MutableState, { only_records }: Events["session_started"]): void {
  if (!only_records && state.sessions > 0) state.resumes += 1;
  state.sessions += 1;
  state.wasHalted = false;
}

export function onPaused(state: MutableState, { reason, detail }: Events["run_paused"]): void {
  state.status = { name: "paused", reason, detail };
  state.wasHalted = true;
}

export function onResumed(state: MutableState, { budget }: Events["run_resumed"]): void {
  if (state.wasHalted) state.resumes += 1;
  state.wasHalted = false;
  state.status = { name: "running" };
  if (budget) state.budget = { ...state.budget, ...budget };
  if (state.finalVerify?.passed === false) state.finalVerify = undefined;
}

export function onStopped(state: MutableState): void {
  state.wasHalted = true;
  state.status = { name: "stopped" };
  for (const turn of state.turns.values()) turn.unwanted ??= "the run was stopped";
}
