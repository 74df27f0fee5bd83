/** `cox status`: shows a run on one screen, once or as it changes, or lists all runs. Takes no lock and changes nothing. */

import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { glanceAtRuns, otherOpenRuns, type RunsContext } from "../../runtime/run-glance.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import { otherRunsText, runListDocument, runListText } from "../../view/status/run-list.ts";
import { statusDocument } from "../../view/status/status.ts";
import { statusText } from "../../view/status/status-text.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Display } from "../../view/text/line.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { runDocument, seeRun } from "./see-run.ts";
import { tellSettings } from "./tell-settings.ts";
import { watchRun } from "./watch-run.ts";

export function status(door: CommandContext): Promise<ExitCode> {
  const { words, values, clock, terminal, files } = door;
  const runs: RunsContext = { files, root: runsRoot(files, values.one("root")), now: clock.now() };
  if (values.has("all")) return tellAll(door, runs);
  return seeRun(door, { command: "status", run: words[0] }, async (run) => {
    if (values.has("settings")) return tellSettings(door, run);
    const documentOf = (seen: RunSnapshot) => runDocument(run, statusDocument(seen));
    if (values.has("watch")) return watchRun(door, run, { text: textOf, document: documentOf });
    const seen = run.look.seen(clock.now());
    const others = await otherOpenRuns(runs, run.folder.run);
    if (terminal.json)
      terminal.print(runDocument(run, { ...statusDocument(seen), others: runListDocument(others) }));
    else terminal.print(`${textOf(seen, door)}${otherRunsText(others, lookOf(door))}`);
    return exit.done;
  });
}

async function tellAll(door: CommandContext, runs: RunsContext): Promise<ExitCode> {
  const { terminal } = door;
  const all = await glanceAtRuns(runs);
  const damages = all.flatMap(({ run, damage }) => (damage ? [ofRun(run, damage)] : []));
  const weaknesses = all.flatMap(({ run, warnings }) => warnings.map((one) => ofRun(run, one)));
  const isSound = damages.length === 0;
  if (terminal.json) {
    const trouble = { warnings: weaknesses.map(problemDocument), errors: damages.map(problemDocument) };
    terminal.print(jsonText({ ok: isSound, runs: runListDocument(all), ...trouble }));
  } else {
    terminal.notice(problemsText(damages, "error", terminal.noticePaint));
    terminal.notice(problemsText(weaknesses, "warning", terminal.noticePaint));
    terminal.print(runListText(all, lookOf(door)));
  }
  return isSound ? exit.done : exit.notReady;
}

function ofRun(run: string, problem: Problem): Problem {
  return { ...problem, message: `${oneLine(run, 60)}: ${problem.message}` };
}

function lookOf({ terminal }: Pick<CommandContext, "terminal">): Display {
  const { paint, ascii } = terminal;
  return { ...terminal.size(), paint, ascii };
}

function textOf(seen: RunSnapshot, { terminal }: Pick<CommandContext, "terminal">): string {
  const { paint, ascii } = terminal;
  return statusText(seen, { ...terminal.size(), paint, ascii });
}
