/** The overall status of a run, and what to type if it does not continue by itself. */

import { decide, isWaitingForRest, wantedEffects } from "../../kernel/decide.ts";
import { needsBaseVerify } from "../../kernel/rules/evidence/base-verify.ts";
import type { State } from "../../kernel/state.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { isoTime } from "../run-times.ts";
import { duration } from "../text/duration.ts";
import type { Style } from "../text/paint.ts";
import { absentMs, lastAliveAt, type RunSnapshot } from "./liveness.ts";

export interface Headline {
  readonly words: string;
  readonly style: Style;
  /** The reason, if there is more to say. */
  readonly detail?: string;
  readonly command?: string;
}

export function runHeadline(seen: RunSnapshot): Headline {
  const { state } = seen;
  const { status, landing } = state;
  const { isAlive } = seen.liveness;
  if (landing && !isAlive) return landingInterrupted;
  switch (status.name) {
    case "none":
      return { words: "not started", style: "dim", command: "cox run PLAN.md" };
    case "running":
      // A coordinator that waits for an answer has ended on its own; resuming without an answer would achieve nothing.
      if (isWaitingForPerson(state)) return waiting;
      if (isAlive) return runningHeadline(state);
      return wantedEffects(state).length > 0 ? interruptedHeadline(seen) : readyHeadline(seen);
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

/** The log alone would say that it is running: a killed process could not record that it is not. */
function interruptedHeadline(seen: RunSnapshot): Headline {
  const detail = `${absentWords(seen)}; everything recorded is kept`;
  return { words: "interrupted", style: "red", detail, command: "cox resume" };
}

/** An answer came after the coordinator had ended on its own: nothing was interrupted, and the next turn can start. */
function readyHeadline(seen: RunSnapshot): Headline {
  const detail = `nothing is running; ${absentWords(seen)}`;
  return { words: "ready to resume", style: "yellow", detail, command: "cox resume" };
}

/** "coordinator not running since 2026-01-16 10:02:17 UTC, 3m07s ago". */
function absentWords(seen: RunSnapshot): string {
  const since = isoTime(lastAliveAt(seen)).slice(0, 19).replace("T", " ");
  return `coordinator not running since ${since} UTC, ${duration(absentMs(seen) ?? 0)} ago`;
}

const landingInterrupted: Headline = {
  words: "landing interrupted",
  style: "red",
  detail:
    "your checkout may have files of it that your branch does not have; the next command that enters the run finishes it or gives it up",
  command: "cox land",
};
const waiting: Headline = { words: "waiting for you", style: "yellow", command: "cox questions" };

function runningHeadline(state: State): Headline {
  const effects = wantedEffects(state);
  if (effects.length === 0 && isWaitingForRest(state)) return { words: "resting", style: "yellow" };
  // The base is verified while tasks start; only if nothing else is under way is it worth mentioning.
  if (effects.length === 1 && needsBaseVerify(state)) return { words: "verifying the base", style: "green" };
  return { words: "running", style: "green" };
}

/**
 * What the coordinator checks before it ends: nothing is under way, and nothing can start until a question is answered.
 */
export function isWaitingForPerson(state: State): boolean {
  if (state.status.name !== "running" || state.index.openQuestions.size === 0) return false;
  const { order, effects, isResting } = decide(state, state.time);
  return order === undefined && effects.length === 0 && !isResting;
}

function pausedHeadline({ reason, detail }: { readonly reason: string; readonly detail: string }): Headline {
  const details = detail === "" ? {} : { detail: oneLine(detail, 500) };
  switch (reason) {
    case "budget":
      return {
        words: "paused by its budget",
        style: "yellow",
        ...details,
        command: "cox resume --budget AMOUNT",
      };
    case "trouble":
      return { words: "paused by trouble", style: "red", ...details, command: "cox resume" };
    default:
      return { words: "paused", style: "yellow", ...details, command: "cox resume" };
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
      detail: `each task is done, but the run as a whole fails: ${firstLine(finalVerify.why, 400)}`,
      command: "cox why --output",
    };
  }
  return { words: `ended with ${counted(failed, "failed task")}`, style: "red", command: "cox retry TASK" };
}
