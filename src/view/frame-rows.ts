/** Rows of a table of tasks on a terminal: the name in a column of its own, the rest as wide as the terminal allows. */
import { oneLine } from "../std/printable.ts";
import { type AgentRow, actionWords, alarmStyle, attemptWords, heardWords } from "./agent-rows.ts";
import { duration } from "./duration.ts";
import type { Line } from "./line.ts";
import type { Style } from "./paint.ts";
import { padTo, widthOf } from "./width.ts";

export interface Columns {
  readonly columns: number;
  readonly task: number;
  /** None where the terminal is too narrow for it. */
  readonly agent: number;
}

/** Below this, a row says who only by the task. */
const narrow = 60;

/** As wide as the names need, and no wider than leaves room for the words. */
export function columnsFor(
  columns: number,
  names: { readonly tasks: readonly string[]; readonly agents: readonly string[] },
): Columns {
  const widest = (texts: readonly string[]) =>
    Math.max(1, ...texts.map((text) => widthOf(oneLine(text, 80))));
  const task = Math.min(widest(names.tasks), Math.max(8, Math.floor(columns / 4)));
  const agent = columns < narrow || names.agents.length === 0 ? 0 : Math.min(widest(names.agents), 12);
  return { columns, task, agent };
}

export interface TaskRow {
  readonly sign: string;
  readonly style: Style;
  readonly task: string;
  readonly words: string;
}

export function taskLine({ sign, style, task, words }: TaskRow, { task: width }: Columns): Line {
  return [[style, sign], ` ${padTo(oneLine(task, 80), width)}  `, words];
}

/** `▶ store  backend  31s  editing src/a.ts   heard 2s ago  2/3`. */
export function agentLine(row: AgentRow, { columns, task, agent }: Columns): Line {
  const before = `${padTo(oneLine(row.task, 80), task)}  `;
  const who = agent === 0 ? "" : `${padTo(oneLine(row.agent, 40), agent)}  `;
  const long = `${padTo(duration(row.running_ms), 6)}  `;
  const end = [heardWords(row), attemptWords(row)].filter((words) => words !== "").join("  ");
  const room = columns - 2 - widthOf(before + who + long) - widthOf(end) - 2;
  const pieces: Line = [["green", "▶"], ` ${before}`, ["dim", who], long];
  // Where there is no room for both, a word of alarm is worth more than what it did last.
  if (room < wordsMin) {
    return row.alarm === "none" ? [...pieces, actionWords(row)] : [...pieces, [alarmStyle[row.alarm], end]];
  }
  return [...pieces, padTo(actionWords(row), Math.min(room, wordsMax)), "  ", [alarmStyle[row.alarm], end]];
}

const wordsMin = 12;
/** On a wide terminal the eye should not have to travel. */
const wordsMax = 64;
