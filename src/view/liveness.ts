/**
 * What is known of a run that the log does not say: whether anybody is at work on it, and what the agents did last.
 * Times are run time.
 */
import type { TurnId } from "../kernel/event.ts";
import type { State } from "../kernel/state.ts";
import type { TaskId } from "../plan/plan.ts";
import type { Moment } from "./run-times.ts";

/** A run as it is looked at. */
export interface Seen {
  readonly state: State;
  readonly now: Moment;
  readonly liveness: Liveness;
}

export interface Liveness {
  /** Whether a process is the run's writer now. */
  readonly isAlive: boolean;
  readonly turns: ReadonlyMap<TurnId, LastSign>;
  /** Commands that the coordinator runs to verify a task. */
  readonly checks: ReadonlyMap<TaskId, RunningCheck>;
}

export interface LastSign {
  readonly heard: number;
  /** What it was doing, in words: "editing src/a.ts". */
  readonly action?: string;
}

export interface RunningCheck {
  readonly command: string;
  readonly since: number;
}

/** For whoever looks from outside. */
export function noLiveness(isAlive: boolean): Liveness {
  return { isAlive, turns: new Map(), checks: new Map() };
}
