/** `cox status`: how a run stands, on one screen; once, or as it changes. Takes no lock and changes nothing. */
import { jsonText } from "../view/json-text.ts";
import type { Seen } from "../view/liveness.ts";
import { statusDocument } from "../view/status.ts";
import { statusText } from "../view/status-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { seeRun } from "./see-run.ts";
import { tellSettings } from "./tell-settings.ts";
import { watchRun } from "./watch-run.ts";

export function status(door: Door): Promise<ExitCode> {
  const { words, values, clock, terminal } = door;
  return seeRun(door, { command: "status", run: words[0] }, (run) => {
    if (values.has("settings")) return tellSettings(door, run);
    if (values.has("watch")) return watchRun(door, run, { text: textOf, document: documentOf });
    const seen = run.look.seen(clock.now());
    terminal.print(terminal.json ? documentOf(seen) : textOf(seen, door));
    return exit.done;
  });
}

function documentOf(seen: Seen): string {
  return jsonText({ ok: true, ...statusDocument(seen) });
}

function textOf(seen: Seen, { terminal }: Pick<Door, "terminal">): string {
  const { paint, ascii } = terminal;
  return statusText(seen, { ...terminal.size(), paint, ascii });
}
