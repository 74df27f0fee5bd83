/**
 * The log for people, one line per event: time, sign, task, words. Used by `cox log`, by the permanent lines above the
 * live view, and when there is no terminal.
 */
import type { QuestionId, TurnId } from "../../kernel/event.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import { oneLine } from "../../std/printable.ts";
import { type Display, lineText } from "../text/line.ts";
import { padName, widthOf } from "../text/width.ts";
import { LogCounts } from "./log-counts.ts";
import { type LogEntry, type LogMemory, signStyles } from "./log-entry.ts";
import { logWords } from "./log-words.ts";

export interface LogLine extends LogEntry {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Reads a log in order, and remembers which task each turn and question belongs to. */
export class LogReader {
  readonly #turns = new Map<TurnId, { task: string; agent: string }>();
  readonly #questions = new Map<QuestionId, string>();
  readonly #counts = new LogCounts();
  #taskWidth = taskWidthMin;
  readonly #remembered: LogMemory = {
    turn: (id) => this.#turns.get(id),
    question: (id) => this.#questions.get(id),
    counts: this.#counts,
  };

  /** As wide as the names of the run's tasks need, within reason. */
  get taskWidth(): number {
    return this.#taskWidth;
  }

  read(occurred: Occurred): LogLine {
    this.#remember(occurred);
    const { seq, at } = occurred;
    return { seq, at, ...logWords(occurred, this.#remembered) };
  }

  #remember(occurred: Occurred): void {
    this.#counts.take(occurred);
    const { event, data } = occurred;
    if (event === "run_started") this.#taskWidth = taskWidthOf(data.tasks.map(({ task }) => task));
    if (event === "agent_dispatched") this.#turns.set(data.turn, { task: data.task, agent: data.agent });
    if ("question" in data && "task" in data) this.#questions.set(data.question, data.task);
  }
}

const taskWidthMin = 12;
/** Any wider, and the words would start too far to the right. */
const taskWidthMax = 28;

function taskWidthOf(names: readonly string[]): number {
  let widest = taskWidthMin;
  for (const name of names) widest = Math.max(widest, widthOf(oneLine(name, nameMax)));
  return Math.min(widest, taskWidthMax);
}

const nameMax = 200;

export interface LogLook extends Display {
  /** Formats wall-clock time in the reader's local time: "12:04:11". */
  readonly clock: (at: number) => string;
  /** From the `LogReader`; wider names are cut in the middle. */
  readonly taskWidth?: number;
}

export function logLineText({ at, sign, task, words }: LogLine, look: LogLook): string {
  const wide = Math.max(taskWidthMin, Math.floor(look.columns / 4));
  const column = padName(oneLine(task ?? "", nameMax), Math.min(look.taskWidth ?? taskWidthMin, wide));
  const said = sign === "·" ? (["dim", words] as const) : words;
  return lineText([["dim", look.clock(at)], " ", [signStyles[sign], sign], ` ${column} `, said], look);
}
