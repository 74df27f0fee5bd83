/** `cox why TASK`: why a task is where it is, and what would free it. */
import { jsonText } from "../view/json-text.ts";
import { refusalProblem } from "../view/refusals.ts";
import { why as reasonsOf } from "../view/why.ts";
import { whyText } from "../view/why-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { findTask } from "./find-task.ts";
import { seeRun } from "./see-run.ts";
import { tellProblems } from "./tell-problems.ts";
import { transcriptsOf } from "./transcripts.ts";
import { whyOutput } from "./why-output.ts";

export async function why(door: Door): Promise<ExitCode> {
  const { words, values, clock, terminal } = door;
  const [wanted] = words;
  const isOutput = values.has("output");
  if (wanted === undefined && !isOutput) return tellProblems(door, "why", [noTask], exit.usage);
  return seeRun(door, { command: "why", run: values.one("run") }, (run) => {
    const { look, folder, recorded } = run;
    if (wanted === undefined) return whyOutput(door, run, undefined);
    const seen = look.seen(clock.now());
    const found = findTask(seen.state, wanted);
    if ("refused" in found) return tellProblems(door, "why", [refusalProblem(found)], exit.refused);
    if (isOutput) return whyOutput(door, run, found.task.facts.task);
    const [transcript] = transcriptsOf(folder, recorded, found.task.facts.task);
    const reasons = { ...reasonsOf(found.task, seen), transcript: transcript?.path ?? null };
    const { paint, ascii } = terminal;
    if (terminal.json) terminal.print(jsonText({ ok: true, run: folder.run, ...reasons }));
    else terminal.print(whyText(reasons, { ...terminal.size(), paint, ascii }));
    return exit.done;
  });
}

const noTask = {
  code: "USAGE",
  message: "no task was named",
  hint: "Type: cox why TASK – the tasks of the run: cox status",
};
