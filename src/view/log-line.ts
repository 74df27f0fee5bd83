/**
 * The log as a person reads it, one line an event: time, sign, task, words. Used by `cox log`, by the permanent lines
 * above the live view, and where no terminal is.
 */
import type { QuestionId, TurnId } from "../kernel/event.ts";
import type { Occurred } from "../kernel/evolve.ts";
import { oneLine } from "../std/printable.ts";
import { type Look, lineText } from "./line.ts";
import { LogCounts } from "./log-counts.ts";
import { type LogEntry, type Remembered, signStyles } from "./log-entry.ts";
import { logWords } from "./log-words.ts";
import { padTo, widthOf } from "./width.ts";

export interface LogLine extends LogEntry {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Reads a log in its order, and remembers whose turns and questions are whose. */
export class LogReader {
  readonly #turns = new Map<TurnId, { task: string; agent: string }>();
  readonly #questions = new Map<QuestionId, string>();
  readonly #counts = new LogCounts();
  readonly #remembered: Remembered = {
    turn: (id) => this.#turns.get(id),
    question: (id) => this.#questions.get(id),
    counts: this.#counts,
  };

  read(occurred: Occurred): LogLine {
    this.#remember(occurred);
    const { seq, at } = occurred;
    return { seq, at, ...logWords(occurred, this.#remembered) };
  }

  #remember(occurred: Occurred): void {
    this.#counts.take(occurred);
    const { event, data } = occurred;
    if (event === "agent_dispatched") this.#turns.set(data.turn, { task: data.task, agent: data.agent });
    if ("question" in data && "task" in data) this.#questions.set(data.question, data.task);
  }
}

const taskWidth = 12;

export interface LogLook extends Look {
  /** Wall time as this reader's clock shows it: "12:04:11". */
  readonly clock: (at: number) => string;
}

/** A longer name moves the words of its own line only. */
export function logLineText({ at, sign, task, words }: LogLine, look: LogLook): string {
  const name = oneLine(task ?? "", 80);
  const column = widthOf(name) > taskWidth ? name : padTo(name, taskWidth);
  const said = sign === "·" ? (["dim", words] as const) : words;
  return lineText([["dim", look.clock(at)], " ", [signStyles[sign], sign], ` ${column} `, said], look);
}
