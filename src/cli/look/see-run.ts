/**
 * Opens a run for a command that only reads: the named run or the newest, read to the end of its log. If the log is
 * damaged, it reports that first, then shows what comes before the damage, and returns the exit code for damage.
 */
import type { Recorded } from "../../journal/journal.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { RunLook } from "../../runtime/look-at-run.ts";
import { chooseRun } from "../../runtime/start/choose-run.ts";
import type { Problem } from "../../std/problem.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

export interface SeenRun {
  readonly look: RunLook;
  readonly folder: RunFolder;
  /** All records of event types that this version knows. */
  readonly recorded: readonly Recorded[];
  /** Log problems that a JSON document must list as errors; empty if a person has already seen them. */
  readonly untold: readonly Problem[];
}

/** A JSON document about a run, including the problems of its log. */
export function runDocument({ look }: Pick<SeenRun, "look">, facts: object): string {
  const { damage, warnings } = look;
  const errors = damage ? [problemDocument(damage)] : [];
  return jsonText({ ok: !damage, ...facts, warnings: warnings.map(problemDocument), errors });
}

export interface SeeRunOptions {
  /** The command's name, used in the document of a failure. */
  readonly command: string;
  /** The name of a run, or the beginning of it; `undefined` means the newest. */
  readonly run: string | undefined;
}

export async function seeRun(
  door: CommandContext,
  { command, run }: SeeRunOptions,
  show: (seen: SeenRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const { files, values } = door;
  const chosen = chooseRun(files, runsRoot(files, values.one("root")), run);
  if ("problem" in chosen) return tellProblems(door, command, [chosen.problem], exit.usage);
  const { folder } = chosen;
  const look = new RunLook(files, folder);
  try {
    const recorded = await look.read();
    const { damage } = look;
    // Such a log has nothing left to show, and anything else the command misses is caused by the damage.
    if (damage && recorded.length === 0) return tellProblems(door, command, [damage], exit.notReady);
    tellLogTrouble(door, look);
    const untold = damage && door.terminal.json ? [damage] : [];
    const code = await show({ look, folder, recorded, untold });
    if (!look.damage) return code;
    // The damage appeared while the run was being watched.
    if (!damage) tellLogTrouble(door, look);
    return exit.notReady;
  } finally {
    look.close();
  }
}

/** For people, before any other output. A JSON document contains this itself. */
export function tellLogTrouble(
  { terminal }: Pick<CommandContext, "terminal">,
  { damage, warnings }: LogTrouble,
): void {
  if (terminal.json) return;
  if (damage) terminal.notice(problemsText([damage], "error", terminal.noticePaint));
  else if (warnings.length > 0) terminal.notice(problemsText(warnings, "warning", terminal.noticePaint));
}

type LogTrouble = Pick<RunLook, "damage" | "warnings">;
