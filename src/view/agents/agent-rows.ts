/** The agents at work: one row each, with what it is doing, for how long, and when it last gave a sign of life. */
import type { State, Task, Turn } from "../../kernel/state.ts";
import { oneLine } from "../../std/printable.ts";
import { turnWords } from "../log/log-counts.ts";
import { ageMs, type RunSnapshot } from "../status/liveness.ts";
import { duration } from "../text/duration.ts";
import type { Style } from "../text/paint.ts";

export interface AgentRow {
  readonly turn: string;
  readonly task: string;
  readonly agent: string;
  readonly role: "developer" | "auditor";
  readonly attempt: number;
  /** The number of this turn within its attempt, counting only turns of its role. */
  readonly turn_of_attempt: number;
  readonly attempts_max: number;
  readonly running_ms: number;
  readonly timeout_ms: number;
  readonly stall_ms: number;
  readonly action: string | null;
  /** Null if it has given no sign of life yet. Keeps growing when the coordinator that listened is gone. */
  readonly silent_ms: number | null;
  readonly alarm: Alarm;
  readonly last_checkpoint: string | null;
}

/** `gone`: the coordinator that started it no longer exists. */
export type Alarm = "none" | "quiet" | "stuck" | "gone";

/** Longest running first. */
export function agentRows(seen: RunSnapshot): AgentRow[] {
  const { state, now, liveness } = seen;
  return [...state.turns.values()].map((turn) => {
    const sign = liveness.turns.get(turn.turn);
    const silentMs = sign ? ageMs(seen, sign.heard) : null;
    const task = state.tasks.get(turn.task);
    return {
      turn: turn.turn,
      task: turn.task,
      agent: turn.agent,
      role: turn.role,
      attempt: turn.attempt,
      turn_of_attempt: task ? turnOf(task, turn) : 1,
      attempts_max: task ? attemptsMax(state, task) : turn.attempt,
      running_ms: Math.max(0, now.time - turn.since),
      timeout_ms: turn.timeoutMs,
      stall_ms: turn.stallMs,
      action: sign?.action ?? null,
      silent_ms: silentMs,
      alarm: liveness.isAlive ? alarmOf(silentMs, turn) : "gone",
      last_checkpoint: turn.checkpoint ?? null,
    };
  });
}

function turnOf({ turnsOfAttempt, auditTurnsOfAttempt }: Task, { role }: Turn): number {
  return role === "developer" ? turnsOfAttempt : auditTurnsOfAttempt;
}

/** How many attempts may fail before a person is asked. Those before a person had the task tried again do not count. */
export function attemptsMax({ run }: State, { facts }: Task): number {
  return facts.attempts ?? run?.settings.audit_attempts ?? 1;
}

const quietMs = 60_000;
/** The share of the time after which a silent turn is ended. */
const stuckShare = 0.8;

function alarmOf(silentMs: number | null, { stallMs }: Turn): Alarm {
  if (silentMs === null) return "none";
  if (silentMs >= stallMs * stuckShare) return "stuck";
  return silentMs >= quietMs ? "quiet" : "none";
}

export const alarmStyle = {
  none: "dim",
  quiet: "yellow",
  stuck: "red",
  gone: "yellow",
} as const satisfies Record<Alarm, Style>;

/** "heard 2s ago", "silent 1m12s", "maybe stuck: silent 4m40s of 5m00s", "last heard 3m00s ago". */
export function lastSignWords({ silent_ms, alarm, stall_ms }: AgentRow): string {
  if (silent_ms === null) return "";
  if (alarm === "gone") return `last heard ${duration(silent_ms)} ago`;
  if (alarm === "stuck") return `maybe stuck: silent ${duration(silent_ms)} of ${duration(stall_ms)}`;
  return alarm === "quiet" ? `silent ${duration(silent_ms)}` : `heard ${duration(silent_ms)} ago`;
}

export function agentActionWords({ action, last_checkpoint, role }: AgentRow): string {
  const words = action ?? last_checkpoint;
  if (words !== null) return oneLine(words, 300);
  return role === "auditor" ? "auditing" : "working";
}

/** Shown from the second turn on. */
export function attemptWords({ attempt, turn_of_attempt }: AgentRow): string {
  return attempt <= 1 && turn_of_attempt <= 1 ? "" : turnWords(attempt, turn_of_attempt);
}
