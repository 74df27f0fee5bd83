/** `cox transcript TASK|TURN`: what an agent said and did in a turn. */
import type { Recorded } from "../journal/journal.ts";
import { readLines } from "../runtime/bounded-lines.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { transcriptEntries, transcriptName } from "../runtime/transcript.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { jsonText } from "../view/json-text.ts";
import { refusalProblem } from "../view/refusals.ts";
import { transcriptText } from "../view/transcript-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { findTask } from "./find-task.ts";
import { seeRun } from "./see-run.ts";
import { tellProblems } from "./tell-problems.ts";
import { type TurnTranscript, transcriptsOf } from "./transcripts.ts";

export async function transcript(door: Door): Promise<ExitCode> {
  const { words, values, clock, terminal } = door;
  const [wanted] = words;
  if (wanted === undefined) return tellProblems(door, "transcript", [noTask], exit.usage);
  return seeRun(door, { command: "transcript", run: values.one("run") }, ({ look, folder, recorded }) => {
    const task = taskOf(recorded, wanted) ?? findTask(look.seen(clock.now()).state, wanted);
    if (typeof task !== "string" && "refused" in task)
      return tellProblems(door, "transcript", [refusalProblem(task)], exit.refused);
    const name = typeof task === "string" ? task : task.task.facts.task;
    const all = transcriptsOf(folder, recorded, name);
    const one = all.find(({ turn }) => turn === wanted) ?? (typeof task === "string" ? undefined : all[0]);
    if (!one) return tellProblems(door, "transcript", [noTranscript(wanted)], exit.refused);
    const entries = entriesOf(folder, one);
    const others = all.map(({ turn }) => turn).filter((turn) => turn !== one.turn);
    const { paint, ascii } = terminal;
    if (terminal.json) terminal.print(jsonText({ ok: true, run: folder.run, ...one, others, entries }));
    else terminal.print(transcriptText({ ...one, others, entries }, { ...terminal.size(), paint, ascii }));
    return exit.done;
  });
}

/** Where the name of a turn was typed. */
function taskOf(recorded: readonly Recorded[], wanted: string): string | undefined {
  for (const one of recorded)
    if (one.event === "agent_dispatched" && one.data.turn === wanted) return one.data.task;
  return undefined;
}

function entriesOf(folder: RunFolder, { turn }: TurnTranscript) {
  return transcriptEntries(readLines((name) => folder.read(name), transcriptName(turn)) ?? []);
}

const noTask: Problem = {
  code: "USAGE",
  message: "no task was named",
  hint: "Type: cox transcript TASK – the tasks of the run: cox status",
};

function noTranscript(wanted: string): Problem {
  return {
    code: "NO_TRANSCRIPT",
    message: `there is no transcript of ${quote(wanted, 60)}: no agent has begun with it, or an older version of cox ran it`,
    hint: "What happened with it: cox log --task TASK",
  };
}
