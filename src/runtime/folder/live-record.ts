/**
 * Reads live.json and derives run time from it. It is only a view: if it is missing or damaged, only its content is lost,
 * and impossible values are ignored.
 */

import type { TurnId } from "../../kernel/event.ts";
import type { Moment } from "../../kernel/moment.ts";
import type { State } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { LastSign, Liveness, RunningCheck } from "../../view/status/liveness.ts";
import type { RunFolder } from "./run-folder.ts";

export const liveFileName = "live.json";

export interface LiveRecord extends Moment, Pick<Liveness, "turns" | "checks"> {
  /** The process ended on its own, so no run time has passed since. */
  readonly hasEnded: boolean;
}

export function readLiveRecord(folder: Pick<RunFolder, "read">): LiveRecord | undefined {
  const bytes = folder.read(liveFileName);
  try {
    const live: unknown = bytes && JSON.parse(decodeUtf8(bytes));
    return isObject(live) ? recordOf(live) : undefined;
  } catch {
    return undefined;
  }
}

/** Longer than one beat plus a slow disk. A process later than this may have been suspended, and run time with it. */
const lateMs = 1000;

/**
 * The latest run time that anybody can have been shown: from the log, and from the last beat plus the time that may have
 * passed since. It never goes back, not even when the process is killed and another one continues from here.
 */
export function runTimeAt(
  at: number,
  state: Pick<State, "at" | "time">,
  live: LiveRecord | undefined,
): number {
  if (!live) return state.time;
  const since = live.hasEnded ? 0 : Math.min(Math.max(0, at - live.at), lateMs);
  // Run time never runs faster than the wall clock, whatever the file says.
  const most = state.time + Math.max(0, at - state.at);
  return Math.max(state.time, Math.min(live.time + since, most));
}

function recordOf({ at, time, turns, checks, has_ended }: Fields): LiveRecord | undefined {
  if (!isNumber(at) || !isNumber(time)) return undefined;
  return {
    at,
    time,
    turns: new Map(entriesOf(turns).flatMap(([turn, one]) => signOf(turn as TurnId, one))),
    checks: new Map(entriesOf(checks).flatMap(([task, one]) => checkOf(task as TaskId, one))),
    hasEnded: has_ended === true,
  };
}

function signOf(turn: TurnId, { heard, action }: Fields): [TurnId, LastSign][] {
  if (!isNumber(heard)) return [];
  return [[turn, { heard, ...(typeof action === "string" && { action }) }]];
}

function checkOf(task: TaskId, { command, since }: Fields): [TaskId, RunningCheck][] {
  return typeof command === "string" && isNumber(since) ? [[task, { command, since }]] : [];
}

/** Fields that the file may contain, of any type. */
type Fields = Readonly<Partial<Record<FieldName, unknown>>>;
type FieldName = "at" | "time" | "turns" | "checks" | "has_ended" | "heard" | "action" | "command" | "since";

function entriesOf(value: unknown): [string, Fields][] {
  return isObject(value)
    ? Object.entries(value).filter((one): one is [string, Fields] => isObject(one[1]))
    : [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
