/** Rows of a task table on a terminal: the name has its own column, and the rest uses the available width. */
import { oneLine } from "../../std/printable.ts";
import {
  type AgentRow,
  agentActionWords,
  alarmStyle,
  attemptWords,
  lastSignWords,
} from "../agents/agent-rows.ts";
import { duration } from "../text/duration.ts";
import type { StyledLine } from "../text/line.ts";
import type { Style } from "../text/paint.ts";
import { padName, padTo, widthOf } from "../text/width.ts";

export interface Columns {
  readonly columns: number;
  readonly task: number;
  /** 0 if the terminal is too narrow for it. */
  readonly agent: number;
}

/** A limit for names that are never shown in full. */
const nameMax = 200;
/** Below this width a row shows only the task, not the agent. */
const narrow = 60;

/** As wide as the names need, but leaving room for the words. */
export function columnsFor(
  columns: number,
  names: { readonly tasks: readonly string[]; readonly agents: readonly string[] },
): Columns {
  const widest = (texts: readonly string[]) =>
    Math.max(1, ...texts.map((text) => widthOf(oneLine(text, nameMax))));
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

export function taskLine({ sign, style, task, words }: TaskRow, { task: width }: Columns): StyledLine {
  return [[style, sign], ` ${padName(oneLine(task, nameMax), width)}  `, words];
}

/** `▶ store  backend  31s  editing src/a.ts   heard 2s ago  2/3`. */
export function agentLine(row: AgentRow, { columns, task, agent }: Columns): StyledLine {
  const before = `${padName(oneLine(row.task, nameMax), task)}  `;
  const who = agent === 0 ? "" : `${padName(oneLine(row.agent, nameMax), agent)}  `;
  const long = `${padTo(duration(row.running_ms), 6)}  `;
  const end = [lastSignWords(row), attemptWords(row)].filter((words) => words !== "").join("  ");
  const room = columns - 2 - widthOf(before + who + long) - widthOf(end) - 2;
  const pieces: StyledLine = [["green", "▶"], ` ${before}`, ["dim", who], long];
  // If there is no room for both, an alarm matters more than the last action.
  if (room < wordsMin) {
    return row.alarm === "none"
      ? [...pieces, agentActionWords(row)]
      : [...pieces, [alarmStyle[row.alarm], end]];
  }
  return [
    ...pieces,
    padTo(agentActionWords(row), Math.min(room, wordsMax)),
    "  ",
    [alarmStyle[row.alarm], end],
  ];
}

const wordsMin = 12;
/** Keeps the eye from having to travel on a wide terminal. */
const wordsMax = 64;
