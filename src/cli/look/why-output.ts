/** `cox why [TASK] --output`: prints all the stored output of the last run of the verify commands. */
import type { Recorded } from "../../journal/journal.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { type PrintedCommand, type Verification, verificationText } from "../../view/verification-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { runDocument, type SeenRun } from "./see-run.ts";

/** For one task or, without one, the newest verification of the run. */
export function whyOutput(door: CommandContext, run: SeenRun, task: string | undefined): ExitCode {
  const { folder, recorded, untold } = run;
  const { terminal } = door;
  const verification = newest(folder, recorded, task);
  if (!verification) return tellProblems(door, "why", [...untold, notVerified(task)], exit.refused);
  const { paint, ascii } = terminal;
  if (terminal.json) terminal.print(runDocument(run, { run: folder.run, ...verification }));
  else terminal.print(verificationText(verification, { ...terminal.size(), paint, ascii }));
  return exit.done;
}

function newest(
  folder: RunFolder,
  recorded: readonly Recorded[],
  task: string | undefined,
): Verification | undefined {
  for (const one of recorded.toReversed()) {
    if (one.event !== "verification_failed" && one.event !== "verification_passed") continue;
    const { work, tree, evidence } = one.data;
    const of = "task" in work ? work.task : null;
    if (task !== undefined && of !== task) continue;
    const name = `evidence/${evidence.sha256}.json`;
    const why = one.event === "verification_failed" ? one.data.why : null;
    const outputs = outputsIn(folder.read(name));
    const commands = outputs ?? evidence.commands.map((command) => ({ ...command, output: "" }));
    const path = `.coxswain/runs/${folder.run}/${name}`;
    return { task: of, passed: why === null, at: one.at, tree, why, commands, path };
  }
  return undefined;
}

/** The stored output, which the log refers to only by name; `undefined` if the file is gone. */
function outputsIn(bytes: Uint8Array | undefined): PrintedCommand[] | undefined {
  if (!bytes) return undefined;
  const { commands } = JSON.parse(decodeUtf8(bytes)) as {
    commands: { command: string; exitCode: number | null; durationMs: number; output: string }[];
  };
  return commands.map(({ command, exitCode, durationMs, output }) => ({
    ...{ command, output },
    exit: exitCode,
    ms: Math.round(durationMs),
  }));
}

function notVerified(task: string | undefined): Problem {
  const what = task === undefined ? "this run" : oneLine(task, 80);
  return {
    code: "NO_EVIDENCE",
    message: `no verify command has finished for ${what} yet, so there is no output`,
    hint: "What its agent said and did: cox transcript TASK – what happened: cox log",
  };
}
