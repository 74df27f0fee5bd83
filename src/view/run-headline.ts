/** How a run stands as a whole, and what to type when it does not go on by itself. */
import { needsBaseVerify } from "../kernel/base-verify.ts";
import { isWaitingForRest } from "../kernel/decide.ts";
import { selectNext } from "../kernel/selection.ts";
import type { State } from "../kernel/state.ts";
import { unreachable } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import { firstLine, oneLine } from "../std/printable.ts";
import type { Liveness } from "./liveness.ts";
import type { Style } from "./paint.ts";

export interface Headline {
  readonly words: string;
  readonly style: Style;
  /** Why, where there is more to say. */
  readonly detail?: string;
  readonly command?: string;
}

export function runHeadline(state: State, { isAlive }: Pick<Liveness, "isAlive">): Headline {
  const { status, landing } = state;
  if (landing && !isAlive) return landingInterrupted;
  switch (status.name) {
    case "none":
      return { words: "not started", style: "dim", command: "cox run PLAN.md" };
    case "running":
      // Whoever waits for an answer has left of itself: to go on without one would lead nowhere.
      if (isWaitingForPerson(state)) return waiting;
      return isAlive ? runningHeadline(state) : interrupted;
    case "paused":
      return pausedHeadline(status);
    case "stopped":
      return { words: "stopped", style: "yellow", command: "cox resume" };
    case "finished":
      return status.outcome === "done" ? doneHeadline(state) : failedHeadline(state);
    default:
      return unreachable(status);
  }
}

/** The log alone would say that it is running: a process that was killed could not write that it is not. */
const interrupted: Headline = {
  words: "interrupted",
  style: "red",
  detail: "nobody is at work on it; what was recorded is kept",
  command: "cox resume",
};

const landingInterrupted: Headline = {
  words: "landing interrupted",
  style: "red",
  detail:
    "files of it may stand in your checkout that its branch does not have; the next command that enters the run finishes it or gives it up",
  command: "cox land",
};
const waiting: Headline = { words: "waits for you", style: "yellow", command: "cox questions" };

function runningHeadline(state: State): Headline {
  if (!isAnythingUnderWay(state) && isWaitingForRest(state)) return { words: "resting", style: "yellow" };
  if (!isAnythingUnderWay(state) && needsBaseVerify(state))
    return { words: "verifying the base", style: "green" };
  return { words: "running", style: "green" };
}

/** Nothing is under way, and nothing can begin before a question is answered. */
export function isWaitingForPerson(state: State): boolean {
  const { run, status, index } = state;
  if (status.name !== "running" || index.openQuestions.size === 0 || isAnythingUnderWay(state)) return false;
  if (run?.settings.on_question === "hold-all") return true;
  return selectNext(state) === undefined && !isWaitingForRest(state);
}

function isAnythingUnderWay(state: State): boolean {
  const { turns, queue, index } = state;
  return turns.size + queue.length + index.verifying.size > 0 || isAnythingRead(state);
}

/** A reply that only a person can allow is kept, and nobody reads it meanwhile. */
function isAnythingRead({ replies, tasks }: State): boolean {
  return [...replies.values()].some(({ task }) => tasks.get(task)?.phase.name !== "held");
}

function pausedHeadline({ reason, detail }: { readonly reason: string; readonly detail: string }): Headline {
  const told = detail === "" ? {} : { detail: oneLine(detail, 500) };
  switch (reason) {
    case "budget":
      return {
        words: "paused by its budget",
        style: "yellow",
        ...told,
        command: "cox resume --budget AMOUNT",
      };
    case "trouble":
      return { words: "paused by trouble", style: "red", ...told, command: "cox resume" };
    default:
      return { words: "paused", style: "yellow", ...told, command: "cox resume" };
  }
}

function doneHeadline({ landed }: State): Headline {
  const last = landed.at(-1);
  if (last) return { words: `done, landed on ${oneLine(last.branch, 60)}`, style: "green" };
  return { words: "done", style: "green", command: "cox land" };
}

function failedHeadline({ finalVerify, index }: State): Headline {
  const failed = index.counts.failed;
  if (failed === 0 && finalVerify && !finalVerify.passed) {
    return {
      words: "failed",
      style: "red",
      detail: `each task was verified, but the whole was not: ${firstLine(finalVerify.why, 400)}`,
      command: "cox why --output",
    };
  }
  return { words: `ended with ${counted(failed, "failed task")}`, style: "red", command: "cox retry TASK" };
}
