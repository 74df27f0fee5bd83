/** Prints the records of a log in order: as lines for people, or as recorded, one JSON document per line. */
import type { PeekedRecord as SeenRecord } from "../../journal/peek-journal.ts";
import { oneLine } from "../../std/printable.ts";
import { type LogLine, LogReader, logLineText } from "../../view/log/log-line.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { clockTime } from "./show.ts";

export interface LogPrinterOptions {
  /** 1 is essential, 2 normal, 3 detail. Records above this level are left out. */
  readonly level: number;
  /** Show only records about this task. */
  readonly task: string | undefined;
  /** Show each record's number. */
  readonly numbers?: boolean;
}

/** Lines are not cut to the terminal's width, because people search and copy them. The text in them is already bounded. */
const columns = 2000;

export class LogPrinter {
  readonly #reader = new LogReader();

  constructor(
    private readonly terminal: Terminal,
    private readonly options: LogPrinterOptions,
  ) {}

  print(records: readonly SeenRecord[]): void {
    const lines = records.flatMap((record) => {
      const line = this.#lineOf(record);
      return this.#isWanted(line) ? [this.#textOf(record, line)] : [];
    });
    this.terminal.print(lines.join(""));
  }

  #lineOf(record: SeenRecord): LogLine {
    if (record.known) return this.#reader.read(record);
    const { seq, at, event, v } = record;
    const words = `${oneLine(event, 80)}: written by a newer version (format ${v}); --json shows it`;
    return { seq, at, level: 2, sign: "·", task: taskOf(record.data), words };
  }

  #isWanted({ level, task }: LogLine): boolean {
    return level <= this.options.level && (this.options.task === undefined || task === this.options.task);
  }

  #textOf(record: SeenRecord, line: LogLine): string {
    const { json, paint, ascii } = this.terminal;
    const number = this.options.numbers ? `${String(record.seq).padStart(5)} ` : "";
    const { taskWidth } = this.#reader;
    if (!json)
      return `${number}${logLineText(line, { columns, paint, ascii, clock: dateAndTime, taskWidth })}\n`;
    const { seq, at, time, fence, event, data } = record;
    return jsonText({ seq, at: new Date(at).toISOString(), t: time, fence, event, data });
  }
}

function taskOf(data: unknown): string | undefined {
  const task = typeof data === "object" && data !== null && "task" in data ? data.task : undefined;
  return typeof task === "string" ? task : undefined;
}

/** Includes the date, because a log may be read days later. */
export function dateAndTime(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${day.map((part) => String(part).padStart(2, "0")).join("-")} ${clockTime(at)}`;
}
