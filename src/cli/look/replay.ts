/**
 * `cox replay [RUN] [--to SEQ]`: shows a run as it was at any event, in the view of `cox status`. It replays the log up
 * to that event with the same `evolve`, and writes nothing.
 */
import type { Recorded } from "../../journal/journal.ts";
import { evolve } from "../../kernel/evolve.ts";
import { initialState } from "../../kernel/initial.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type LogLine, LogReader, logLineText } from "../../view/log/log-line.ts";
import { noLiveness, type RunSnapshot } from "../../view/status/liveness.ts";
import { statusDocument } from "../../view/status/status.ts";
import { statusText } from "../../view/status/status-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { dateAndTime } from "./log-printer.ts";
import { runDocument, type SeenRun, seeRun } from "./see-run.ts";

export function replay(door: CommandContext): Promise<ExitCode> {
  const { words, values } = door;
  return seeRun(door, { command: "replay", run: words[0] }, (run) => {
    if (run.recorded.length === 0) return tellProblems(door, "replay", [...run.untold, noEvents], exit.usage);
    const wanted = seqOf(values.one("to"), run);
    if (typeof wanted === "object")
      return tellProblems(door, "replay", [...run.untold, wanted.problem], exit.usage);
    return show(door, run, wanted);
  });
}

const noEvents: Problem = {
  code: "NO_EVENT",
  message: "nothing is recorded for this run yet",
  hint: "Watch it: cox status",
};

/** Returns `undefined` if no event was named. */
function seqOf(
  text: string | undefined,
  { recorded, folder }: SeenRun,
): number | undefined | { problem: Problem } {
  if (text === undefined) return undefined;
  const last = recorded.at(-1)?.seq ?? 0;
  const seq = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (seq >= 1 && seq <= last) return seq;
  const run = oneLine(folder.run, 60);
  const message =
    seq > last
      ? `the run ${run} has ${last} events; there is no event ${seq}`
      : `--to is the number of an event, from 1 to ${last}, not ${quote(text, 60)}`;
  return {
    problem: { code: "NO_EVENT", message, hint: `See every event with its number: cox log ${run} --numbers` },
  };
}

function show(door: CommandContext, run: SeenRun, wanted: number | undefined): ExitCode {
  const { terminal, clock } = door;
  const { recorded, look } = run;
  const last = recorded.at(-1)?.seq ?? 0;
  const { seen, event, line } = momentOf(recorded, wanted ?? last);
  // Without a number, show what `cox status` shows now, including whether a process is working on the run.
  const shown = wanted === undefined ? look.seen(clock.now()) : seen;
  if (terminal.json) {
    const at = { seq: wanted ?? last, of: last, at: new Date(event.at).toISOString(), event: event.event };
    terminal.print(runDocument(run, { ...statusDocument(shown), replayed: at }));
    return exit.done;
  }
  const { paint, ascii } = terminal;
  const screen = { ...terminal.size(), paint, ascii };
  const head = paint("bold", `The run as it was at event ${wanted ?? last} of ${last}`);
  terminal.print(
    `${head}\n${logLineText(line, { ...screen, clock: dateAndTime })}\n\n${statusText(shown, screen)}`,
  );
  return exit.done;
}

/** The state at an event. Its writer was working on the run at that moment. */
function momentOf(
  recorded: readonly Recorded[],
  seq: number,
): { readonly seen: RunSnapshot; readonly event: Recorded; readonly line: LogLine } {
  const state = initialState();
  const reader = new LogReader();
  let event = recorded[0] as Recorded;
  let line = reader.read(event);
  evolve(state, event);
  for (const next of recorded.slice(1)) {
    if (next.seq > seq) break;
    event = next;
    line = reader.read(next);
    evolve(state, next);
  }
  const now = { at: event.at, time: event.time };
  return { seen: { state, now, liveness: noLiveness(true) }, event, line };
}
