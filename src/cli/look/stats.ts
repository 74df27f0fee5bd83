/**
 * `cox stats`: shows the run first, if there is one (its name, its state, what it took), then the folder's changesets:
 * how many files were promised, and how many are really on disk.
 */
import { Peek } from "../../changeset/peek.ts";
import { pricesDate } from "../../config/crew/prices.ts";
import { RunFolder } from "../../runtime/folder/run-folder.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { counted, grouped } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { figuresDocument, type RunStats, runStats } from "../../view/end/run-stats.ts";
import { runStatsText } from "../../view/end/run-stats-text.ts";
import { isoTime } from "../../view/run-times.ts";
import { runTitle } from "../../view/run-title.ts";
import { groupCounts } from "../../view/status/groups.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import { runHeadline } from "../../view/status/run-headline.ts";
import { elapsedMs, statusDocument } from "../../view/status/status.ts";
import { duration } from "../../view/text/duration.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { runDocument, type SeenRun, seeRun } from "./see-run.ts";

export async function stats(door: CommandContext): Promise<ExitCode> {
  const { values, files, words, clock } = door;
  const peek = Peek.open(files, values.one("root") ?? ".");
  const figures = peek.figures();
  peek.close();
  const hasRun = words.length > 0 || RunFolder.list(files, runsRoot(files, values.one("root"))).length > 0;
  if (!hasRun) return tell(door, figures);
  return seeRun(door, { command: "stats", run: words[0] }, (seen) =>
    tell(door, figures, {
      seen,
      now: seen.look.seen(clock.now()),
      began: seen.recorded[0]?.at ?? null,
      run: seen.folder.run,
      ...runStats(seen.recorded),
    }),
  );
}

type Figures = ReturnType<Peek["figures"]>;
interface Run extends RunStats {
  readonly run: string;
  readonly seen: SeenRun;
  readonly now: RunSnapshot;
  /** Wall-clock time of the run's first record. */
  readonly began: number | null;
}

function tell({ terminal }: CommandContext, figures: Figures, run?: Run): ExitCode {
  const persistenceRate = rateOf(figures);
  if (terminal.json) {
    const document = { ...figures, persistenceRate, run: run ? runFiguresDocument(run) : null };
    terminal.print(run ? runDocument(run.seen, document) : jsonText({ ok: true, ...document }));
    return exit.done;
  }
  const { changesets, promised, persisted, takenBack, verificationFailures } = figures;
  const rows = [
    ["changesets", `${grouped(changesets)}${takenBack > 0 ? ` (${takenBack} taken back)` : ""}`],
    ["files on disk", filesWords({ promised, persisted })],
    ["persistence rate", rateWords(persistenceRate, terminal)],
    ["verification failures", String(verificationFailures)],
  ];
  if (run) terminal.print(`${runText(run, terminal)}\n`);
  terminal.print(table(rows));
  return exit.done;
}

interface Promised {
  readonly promised: number;
  readonly persisted: number;
}

/** If nothing was promised, no promise was broken. */
function rateOf({ promised, persisted }: Promised): number {
  return promised === 0 ? 1 : persisted / promised;
}

function runFiguresDocument({ run, now, total, agents, tasks, unpriced, began }: Run) {
  const { title, plan_file, status, headline } = statusDocument(now);
  return {
    run,
    title,
    plan_file,
    status,
    words: headline.words,
    began_at: began === null ? null : isoTime(began),
    last_record_at: began === null ? null : isoTime(now.state.at),
    elapsed_ms: elapsedMs(now),
    persistence_rate: rateOf(promisedIn(total)),
    prompt_retries: total.refused_replies,
    verification_failures: total.verification_failures,
    total: figuresDocument(total),
    agents: agents.map(figuresDocument),
    tasks: tasks.map(figuresDocument),
    unpriced_models: unpriced,
    prices_date: pricesDate,
  };
}

function promisedIn({ promised_files, persisted_files }: RunStats["total"]): Promised {
  return { promised: promised_files, persisted: persisted_files };
}

function runText(run: Run, terminal: Terminal): string {
  const { total, now, began } = run;
  const { state } = now;
  const rows = [
    ["run", `${oneLine(state.run ? runTitle(state.run) : "", 200)} · ${oneLine(run.run, 60)}`],
    [
      "outcome",
      `${runHeadline(now).words}, ${groupCounts(state).done} of ${counted(state.tasks.size, "task")} done`,
    ],
    ["when", whenWords({ began, last: state.at, elapsed: elapsedMs(now) })],
    ["files committed", filesWords(promisedIn(total))],
    ["persistence rate", rateWords(rateOf(promisedIn(total)), terminal)],
    ["prompt retries", grouped(total.refused_replies)],
    ["verification failures", grouped(total.verification_failures)],
  ];
  const { paint, ascii } = terminal;
  return `${table(rows)}\n${runStatsText(run, { ...terminal.size(), paint, ascii })}`;
}

/** "2026-01-16 10:00 to 10:42 UTC, 12m05s of run time". */
function whenWords({
  began,
  last,
  elapsed,
}: {
  began: number | null;
  last: number;
  elapsed: number;
}): string {
  const minute = (at: number) => isoTime(at).slice(0, 16).replace("T", " ");
  const from = minute(began ?? last);
  const to = minute(last);
  const end = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
  return `${from} to ${end} UTC, ${duration(elapsed)} of run time`;
}

function filesWords({ promised, persisted }: Promised): string {
  return `${grouped(persisted)} of ${counted(promised, "file")} promised`;
}

function rateWords(rate: number, { paint }: Terminal): string {
  return paint(rate === 1 ? "green" : "red", `${(rate * 100).toFixed(rate === 1 ? 0 : 2)} %`);
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map(([name, value]) => `${name?.padEnd(22)}${value}\n`).join("");
}
