/** Prints records of a log in their order: as lines for a person, or one JSON document a line as they were recorded. */
import type { Seen as SeenRecord } from "../journal/peek-journal.ts";
import { oneLine } from "../std/printable.ts";
import { jsonText } from "../view/json-text.ts";
import { type LogLine, LogReader, logLineText } from "../view/log-line.ts";
import { clockTime } from "./show.ts";
import type { Terminal } from "./terminal.ts";

export interface LogWishes {
  /** 1 is essential, 2 normal, 3 detail; what is above it is left out. */
  readonly level: number;
  /** Only what is about this task. */
  readonly task: string | undefined;
}

/** Words are bounded themselves; a line of a log is searched and copied, so a terminal may break it, and nobody cuts it. */
const columns = 2000;

export class LogPrinter {
  readonly #reader = new LogReader();

  constructor(
    private readonly terminal: Terminal,
    private readonly wishes: LogWishes,
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
    const words = `${oneLine(event, 80)}: of a newer version (format ${v}); --json shows it`;
    return { seq, at, level: 2, sign: "·", task: taskOf(record.data), words };
  }

  #isWanted({ level, task }: LogLine): boolean {
    return level <= this.wishes.level && (this.wishes.task === undefined || task === this.wishes.task);
  }

  #textOf(record: SeenRecord, line: LogLine): string {
    const { json, paint, ascii } = this.terminal;
    if (!json) return `${logLineText(line, { columns, paint, ascii, clock: dateAndTime })}\n`;
    const { seq, at, time, fence, event, data } = record;
    return jsonText({ seq, at: new Date(at).toISOString(), t: time, fence, event, data });
  }
}

function taskOf(data: unknown): string | undefined {
  const task = typeof data === "object" && data !== null && "task" in data ? data.task : undefined;
  return typeof task === "string" ? task : undefined;
}

/** A log is also read days later. */
export function dateAndTime(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${day.map((part) => String(part).padStart(2, "0")).join("-")} ${clockTime(at)}`;
}
