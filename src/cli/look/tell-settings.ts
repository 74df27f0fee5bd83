/**
 * `cox status --settings`: shows a run's settings and where each comes from: the command line, the plan, the
 * configuration, or the default.
 */
import { readRunSettings } from "../../runtime/folder/run-inputs.ts";
import { runSettings, runSettingsText } from "../../view/run-settings.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { runDocument, type SeenRun } from "./see-run.ts";

export function tellSettings({ terminal, clock }: CommandContext, run: SeenRun): ExitCode {
  const { look, folder } = run;
  const { state } = look.seen(clock.now());
  const settings = runSettings({ ...readRunSettings(folder, state), budget: state.budget });
  if (terminal.json) terminal.print(runDocument(run, { run: folder.run, settings }));
  else
    terminal.print(
      runSettingsText(settings, { ...terminal.size(), paint: terminal.paint, ascii: terminal.ascii }),
    );
  return exit.done;
}
