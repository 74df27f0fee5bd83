/** `cox stats`: files promised, and files really on disk: of the folder's changesets, and of a run where there is one. */
import { Peek } from "../changeset/peek.ts";
import { pricesDate } from "../config/prices.ts";
import { RunFolder } from "../runtime/run-folder.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { counted, grouped } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { jsonText } from "../view/json-text.ts";
import { type RunStats, runStats } from "../view/run-stats.ts";
import { runStatsText } from "../view/run-stats-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { seeRun } from "./see-run.ts";
import type { Terminal } from "./terminal.ts";

export async function stats(door: Door): Promise<ExitCode> {
  const { values, files, words } = door;
  const peek = Peek.open(files, values.one("root") ?? ".");
  const figures = peek.figures();
  peek.close();
  const hasRun = words.length > 0 || RunFolder.list(files, runsRoot(files, values.one("root"))).length > 0;
  if (!hasRun) return tell(door, figures);
  return seeRun(door, { command: "stats", run: words[0] }, ({ folder, recorded }) =>
    tell(door, figures, { run: folder.run, ...runStats(recorded) }),
  );
}

type Figures = ReturnType<Peek["figures"]>;
type Run = RunStats & { readonly run: string };

function tell({ terminal }: Door, figures: Figures, run?: Run): ExitCode {
  const persistenceRate = rateOf(figures);
  if (terminal.json) {
    terminal.print(jsonText({ ok: true, ...figures, persistenceRate, run: run ? runDocument(run) : null }));
    return exit.done;
  }
  const { changesets, promised, persisted, takenBack, verificationFailures } = figures;
  const rows = [
    ["changesets", `${grouped(changesets)}${takenBack > 0 ? ` (${takenBack} taken back)` : ""}`],
    ["files on disk", filesWords({ promised, persisted })],
    ["persistence rate", rateWords(persistenceRate, terminal)],
    ["verification failures", String(verificationFailures)],
  ];
  terminal.print(table(rows));
  if (run) terminal.print(`\n${runText(run, terminal)}`);
  return exit.done;
}

interface Promised {
  readonly promised: number;
  readonly persisted: number;
}

/** Nothing promised is nothing broken. */
function rateOf({ promised, persisted }: Promised): number {
  return promised === 0 ? 1 : persisted / promised;
}

function runDocument({ run, total, agents, tasks, unpriced }: Run) {
  return {
    run,
    persistence_rate: rateOf(promisedIn(total)),
    prompt_retries: total.refused_replies,
    verification_failures: total.verification_failures,
    total,
    agents,
    tasks,
    unpriced_models: unpriced,
    prices_date: pricesDate,
  };
}

function promisedIn({ promised_files, persisted_files }: RunStats["total"]): Promised {
  return { promised: promised_files, persisted: persisted_files };
}

function runText(run: Run, terminal: Terminal): string {
  const { total } = run;
  const rows = [
    ["run", oneLine(run.run, 60)],
    ["files committed", filesWords(promisedIn(total))],
    ["persistence rate", rateWords(rateOf(promisedIn(total)), terminal)],
    ["prompt retries", grouped(total.refused_replies)],
    ["verification failures", grouped(total.verification_failures)],
  ];
  const { paint, ascii } = terminal;
  return `${table(rows)}\n${runStatsText(run, { ...terminal.size(), paint, ascii })}`;
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
