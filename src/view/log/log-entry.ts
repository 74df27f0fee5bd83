/** A log line before it is laid out, and what is needed to make one. */
import type { QuestionId, TurnId } from "../../kernel/event.ts";
import type { Style } from "../text/paint.ts";
import type { LogCounts } from "./log-counts.ts";

export interface LogEntry {
  readonly level: Level;
  readonly sign: LogSign;
  /** Undefined if it is about the run. */
  readonly task: string | undefined;
  readonly words: string;
}

export function say(level: Level, sign: LogSign, task: string | undefined, words: string): LogEntry {
  return { level, sign, task, words };
}

/** 1 is essential, 2 normal, 3 detail. */
export type Level = 1 | 2 | 3;

export type LogSign = keyof typeof signStyles;
export const signStyles = {
  "✓": "green",
  "✗": "red",
  "▶": "cyan",
  "!": "yellow",
  "?": "yellow",
  "↩": "yellow",
  "·": "dim",
} as const satisfies Record<string, Style>;

/** What earlier events said about turns and questions that later ones only name. */
export interface LogMemory {
  turn(id: TurnId): { readonly task: string; readonly agent: string } | undefined;
  question(id: QuestionId): string | undefined;
  readonly counts: LogCounts;
}
