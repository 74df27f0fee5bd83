/** A line of the log before it is laid out, and what is needed to make one. */
import type { QuestionId, TurnId } from "../kernel/event.ts";
import type { LogCounts } from "./log-counts.ts";
import type { Style } from "./paint.ts";

export interface LogEntry {
  readonly level: Level;
  readonly sign: Sign;
  /** Nothing where it is about the run. */
  readonly task: string | undefined;
  readonly words: string;
}

/** 1 is essential, 2 normal, 3 detail. */
export type Level = 1 | 2 | 3;

export type Sign = keyof typeof signStyles;
export const signStyles = {
  "✓": "green",
  "✗": "red",
  "▶": "cyan",
  "!": "yellow",
  "?": "yellow",
  "↩": "yellow",
  "·": "dim",
} as const satisfies Record<string, Style>;

/** What earlier events said of those that later ones only name. */
export interface Remembered {
  turn(id: TurnId): { readonly task: string; readonly agent: string } | undefined;
  question(id: QuestionId): string | undefined;
  readonly counts: LogCounts;
}
