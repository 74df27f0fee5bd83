/**
 * What is known about a run besides its log: whether a process is working on it, and what its agents did last. Times are
 * run time.
 */

import type { TurnId } from "../../kernel/event.ts";
import type { Moment } from "../../kernel/moment.ts";
import type { State } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";

/** A run as seen at one moment. */
export interface RunSnapshot {
  readonly state: State;
  readonly now: Moment;
  readonly liveness: Liveness;
}

export interface Liveness {
  /** Whether the run has a writer now. */
  readonly isAlive: boolean;
  readonly turns: ReadonlyMap<TurnId, LastSign>;
  /** Commands that the coordinator is running to verify a task. */
  readonly checks: ReadonlyMap<TaskId, RunningCheck>;
  /** The coordinator's last sign of life; missing if the coordinator itself is looking. */
  readonly lastBeat?: Moment;
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

/** For a viewer from outside. */
export function noLiveness(isAlive: boolean): Liveness {
  return { isAlive, turns: new Map(), checks: new Map() };
}

/**
 * How long ago a moment of run time was by the wall clock: run time stands still while nobody works on a run, ages do
 * not.
 */
export function ageMs({ now, liveness }: Pick<RunSnapshot, "now" | "liveness">, time: number): number {
  const { at, time: then } = liveness.lastBeat ?? now;
  return Math.round(Math.max(0, now.at - at + then - time));
}

/** How long nobody has worked on it; undefined while somebody does. */
export function absentMs({ state, now, liveness }: RunSnapshot): number | undefined {
  return liveness.isAlive ? undefined : Math.max(0, now.at - lastAliveAt({ state, liveness }));
}

/** Wall-clock time of the last thing that a coordinator did. */
export function lastAliveAt({ state, liveness }: Pick<RunSnapshot, "state" | "liveness">): number {
  return Math.max(state.at, liveness.lastBeat?.at ?? 0);
}
