/** `cox status`: how a run stands, on one screen; once, or as it changes; or all runs. Takes no lock and changes nothing. */
import { glanceAtRuns, otherOpenRuns, type Runs } from "../runtime/run-glance.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { jsonText } from "../view/json-text.ts";
import type { Look } from "../view/line.ts";
import type { Seen } from "../view/liveness.ts";
import { otherRunsText, runListDocument, runListText } from "../view/run-list.ts";
import { statusDocument } from "../view/status.ts";
import { statusText } from "../view/status-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { seeRun } from "./see-run.ts";
import { tellSettings } from "./tell-settings.ts";
import { watchRun } from "./watch-run.ts";

export function status(door: Door): Promise<ExitCode> {
  const { words, values, clock, terminal, files } = door;
  const runs: Runs = { files, root: runsRoot(files, values.one("root")), now: clock.now() };
  if (values.has("all")) return tellAll(door, runs);
  return seeRun(door, { command: "status", run: words[0] }, async (run) => {
    if (values.has("settings")) return tellSettings(door, run);
    if (values.has("watch")) return watchRun(door, run, { text: textOf, document: documentOf });
    const seen = run.look.seen(clock.now());
    const others = await otherOpenRuns(runs, run.folder.run);
    if (terminal.json)
      terminal.print(jsonText({ ok: true, ...statusDocument(seen), others: runListDocument(others) }));
    else terminal.print(`${textOf(seen, door)}${otherRunsText(others, lookOf(door))}`);
    return exit.done;
  });
}

async function tellAll(door: Door, runs: Runs): Promise<ExitCode> {
  const { terminal } = door;
  const all = await glanceAtRuns(runs);
  if (terminal.json) terminal.print(jsonText({ ok: true, runs: runListDocument(all) }));
  else terminal.print(runListText(all, lookOf(door)));
  return exit.done;
}

function lookOf({ terminal }: Pick<Door, "terminal">): Look {
  const { paint, ascii } = terminal;
  return { ...terminal.size(), paint, ascii };
}

function documentOf(seen: Seen): string {
  return jsonText({ ok: true, ...statusDocument(seen) });
}

function textOf(seen: Seen, { terminal }: Pick<Door, "terminal">): string {
  const { paint, ascii } = terminal;
  return statusText(seen, { ...terminal.size(), paint, ascii });
}
