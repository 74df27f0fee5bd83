/** `cox status --settings`: what a run goes by, and who said so: the command line, the plan, the configuration, or nobody. */
import { readSettings } from "../runtime/run-inputs.ts";
import { jsonText } from "../view/json-text.ts";
import { runSettings, runSettingsText } from "../view/run-settings.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { SeenRun } from "./see-run.ts";

export function tellSettings({ terminal, clock }: Door, { look, folder }: SeenRun): ExitCode {
  const { state } = look.seen(clock.now());
  const settings = runSettings({ ...readSettings(folder, state), budget: state.budget });
  if (terminal.json) terminal.print(jsonText({ ok: true, run: folder.run, settings }));
  else
    terminal.print(
      runSettingsText(settings, { ...terminal.size(), paint: terminal.paint, ascii: terminal.ascii }),
    );
  return exit.done;
}
