import { expect, test } from "vitest";
import { story } from "../../../test/view/story.ts";
import type { PeekedRecord } from "../../journal/peek-journal.ts";
import { noPaint } from "../../view/text/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { LogPrinter, type LogPrinterOptions } from "./log-printer.ts";

const told = story("a", "b").works("a").works("b").delivers("a");
const known = told.events.map((event) => ({ ...event, fence: 1, known: true }) as PeekedRecord);
const newer: PeekedRecord = {
  known: false,
  v: 7,
  event: "agent_\u001b[2Jdreamt",
  data: { task: "b", dream: "\u009b2J" },
  at: 0,
  time: 1,
  seq: known.length + 1,
  fence: 1,
};

function printed(options: Partial<LogPrinterOptions>, json = false): string[] {
  let text = "";
  const terminal: Terminal = {
    print: (more) => {
      text += more;
    },
    notice: () => {},
    paint: noPaint,
    noticePaint: noPaint,
    isWatched: false,
    json,
    isUnread: () => false,
    size: () => ({ columns: 20, rows: 5 }),
    ascii: false,
  };
  const printer = new LogPrinter(terminal, { level: 3, task: undefined, ...options });
  // In two parts, because `--follow` continues where it stopped reading.
  printer.print(known.slice(0, 3));
  printer.print([...known.slice(3), newer]);
  return text.split("\n").slice(0, -1);
}

test("each record of a run's log is one line, never cut to the terminal", () => {
  const lines = printed({});
  expect(lines).toHaveLength(known.length + 1);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ▶ .*began: Rate-limit the public API/);
});

test("the log of one task shows the records that name the task or a turn of it", () => {
  const lines = printed({ task: "b" });
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/ b +/);
});

test("a log level leaves out records of higher levels", () => {
  expect(printed({ level: 1 }).length).toBeLessThan(printed({ level: 2 }).length);
  expect(printed({ level: 2 }).length).toBeLessThan(printed({ level: 3 }).length);
});

test("a record of a newer version is shown by its name, and nothing in it acts on a terminal", () => {
  expect(printed({}).at(-1)).toContain("agent_\\u001b[2Jdreamt: written by a newer version (format 7)");
  const last = printed({}, true).at(-1) ?? "";
  expect(last).toMatch(/^[ -~]*$/);
  expect(JSON.parse(last)).toMatchObject({ seq: newer.seq, event: newer.event, data: newer.data });
});
