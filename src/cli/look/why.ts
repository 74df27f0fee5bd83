/** `cox why TASK`: explains why a task is in its present state, and what would unblock it. */

import { why as reasonsOf } from "../../view/status/why.ts";
import { whyText } from "../../view/status/why-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { findRunTask } from "./find-task.ts";
import { runDocument, seeRun } from "./see-run.ts";
import { transcriptsOf } from "./transcripts.ts";
import { whyOutput } from "./why-output.ts";

export async function whyCommand(door: CommandContext): Promise<ExitCode> {
  const { words, values, clock, terminal } = door;
  const [wanted] = words;
  const isOutput = values.has("output");
  if (wanted === undefined && !isOutput) return tellProblems(door, "why", [noTask], exit.usage);
  return seeRun(door, { command: "why", run: values.one("run") }, (run) => {
    const { look, folder, recorded } = run;
    if (wanted === undefined) return whyOutput(door, run, undefined);
    const seen = look.seen(clock.now());
    const found = findRunTask(seen.state, wanted);
    if ("refused" in found)
      return tellProblems(door, "why", [...run.untold, refusalProblem(found)], exit.refused);
    if (isOutput) return whyOutput(door, run, found.task.facts.task);
    const [transcript] = transcriptsOf(folder, recorded, found.task.facts.task);
    const reasons = { ...reasonsOf(found.task, seen), transcript: transcript?.path ?? null };
    const { paint, ascii } = terminal;
    if (terminal.json) terminal.print(runDocument(run, { run: folder.run, ...reasons }));
    else terminal.print(whyText(reasons, { ...terminal.size(), paint, ascii }));
    return exit.done;
  });
}

const noTask = {
  code: "USAGE",
  message: "no task was named",
  hint: "Type: cox why TASK – the tasks of the run: cox status",
};
