/** `cox transcript TASK|TURN`: shows what an agent said and did in a turn, or with `--follow` as it happens. */
import type { Recorded } from "../../journal/journal.ts";
import type { State } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import { readLines } from "../../runtime/folder/bounded-lines.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { transcriptEntries, transcriptName } from "../../runtime/folder/transcript.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { transcriptText } from "../../view/log/transcript-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { findRunTask } from "./find-task.ts";
import { followTranscript } from "./follow-transcript.ts";
import { runDocument, seeRun } from "./see-run.ts";
import { type TurnTranscript, transcriptsOf } from "./transcripts.ts";

export async function transcript(door: CommandContext): Promise<ExitCode> {
  const { words, values, clock, terminal } = door;
  const [wanted] = words;
  if (wanted === undefined) return tellProblems(door, "transcript", [noTask], exit.usage);
  return seeRun(door, { command: "transcript", run: values.one("run") }, (run) => {
    const { look, folder, recorded, untold } = run;
    const task = taskOf(recorded, wanted) ?? findRunTask(look.seen(clock.now()).state, wanted);
    if (typeof task !== "string" && "refused" in task)
      return tellProblems(door, "transcript", [...untold, refusalProblem(task)], exit.refused);
    const name = typeof task === "string" ? task : task.task.facts.task;
    const isTurn = typeof task === "string";
    if (values.has("follow") && !hasNoTranscript(look.seen(clock.now()).state, recorded, name))
      return followTranscript(door, run, { task: name, ...(isTurn && { turn: wanted }) });
    const all = transcriptsOf(folder, recorded, name);
    const one = all.find(({ turn }) => turn === wanted) ?? (isTurn ? undefined : all[0]);
    if (!one) return tellProblems(door, "transcript", [...untold, noTranscript(wanted)], exit.refused);
    const entries = entriesOf(folder, one);
    const others = all.map(({ turn }) => turn).filter((turn) => turn !== one.turn);
    const { paint, ascii } = terminal;
    if (terminal.json) terminal.print(runDocument(run, { run: folder.run, ...one, others, entries }));
    else terminal.print(transcriptText({ ...one, others, entries }, { ...terminal.size(), paint, ascii }));
    return exit.done;
  });
}

/** The task of a turn, if the name of a turn was typed. */
function taskOf(recorded: readonly Recorded[], wanted: string): TaskId | undefined {
  for (const one of recorded)
    if (one.event === "agent_dispatched" && one.data.turn === wanted) return one.data.task;
  return undefined;
}

/** No agent has begun this task, and none will. */
function hasNoTranscript({ status, tasks }: State, recorded: readonly Recorded[], task: TaskId): boolean {
  if (recorded.some((one) => one.event === "agent_dispatched" && one.data.task === task)) return false;
  return status.name === "finished" || tasks.get(task)?.phase.name === "done";
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
    message: `there is no transcript of ${quote(wanted, 60)}: no agent has started it, or an older version of cox ran it`,
    hint: "What happened with it: cox log --task TASK",
  };
}
