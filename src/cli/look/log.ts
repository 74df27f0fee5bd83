/**
 * `cox log`: shows what happened, one line per event, from the beginning. `--follow` continues as events are recorded,
 * `--json` prints them as recorded, `--verify` checks whether the log is intact, and `--repair` repairs it.
 * `--documents` shows the log of the documents instead of a run's.
 */

import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { RunLook } from "../../runtime/look-at-run.ts";
import { chooseRun } from "../../runtime/start/choose-run.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import { pauseUnless } from "../../world/time/pause.ts";
import type { LogPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { findRunTask } from "./find-task.ts";
import { LogPrinter } from "./log-printer.ts";
import { repairRunLog } from "./repair-run-log.ts";
import { runDocument, tellLogTrouble } from "./see-run.ts";
import { verifyRunLog } from "./verify-run-log.ts";

export async function log(door: CommandContext, ports: LogPorts): Promise<ExitCode> {
  const { files, values, words } = door;
  if (values.has("documents"))
    return (await import("../documents/log-documents.ts")).logDocuments(door, ports);
  const chosen = chooseRun(files, runsRoot(files, values.one("root")), words[0]);
  if ("problem" in chosen) return tellProblems(door, "log", [chosen.problem], exit.usage);
  const { folder } = chosen;
  if (!values.has("verify") && !values.has("repair")) return tellLog(door, folder);
  try {
    if (values.has("repair")) return await repairRunLog(door, folder, ports);
    return verifyRunLog(door, folder);
  } finally {
    folder.close();
  }
}

async function tellLog(door: CommandContext, folder: RunFolder): Promise<ExitCode> {
  const { files, values, clock, terminal } = door;
  const look = new RunLook(files, folder);
  try {
    const records = await look.readAll();
    const { damage, warnings } = look;
    tellLogTrouble(door, look);
    // The output is one event per line, so problems with the log get one extra line before the events.
    if (terminal.json && (damage || warnings.length > 0))
      terminal.print(runDocument({ look }, { run: folder.run }));
    const wanted = values.one("task");
    const found = wanted === undefined ? undefined : findRunTask(look.seen(clock.now()).state, wanted);
    if (found && "refused" in found)
      return tellProblems(door, "log", [refusalProblem(found)], damage ? exit.notReady : exit.refused);
    const printer = new LogPrinter(door.terminal, {
      level: Number(values.one("level") ?? (door.terminal.json ? 3 : 2)),
      task: found?.task.facts.task,
      numbers: values.has("numbers"),
    });
    printer.print(records);
    const tellMore = async () => {
      for (let more = await look.readAll(); more.length > 0; more = await look.readAll()) printer.print(more);
    };
    const code = values.has("follow") ? await follow(door, look, tellMore) : exit.done;
    if (!look.damage) return code;
    if (!damage) tellLogTrouble(door, look);
    return exit.notReady;
  } finally {
    look.close();
  }
}

const everyMs = 250;

/** Follows the log until no process works on the run. Nothing more is recorded then until somebody types a command. */
async function follow(
  { signal, terminal, clock }: CommandContext,
  look: RunLook,
  tellMore: () => Promise<void>,
): Promise<ExitCode> {
  for (;;) {
    // Check this before reading the log, so that the writer's last records are certain to be read.
    const { isAlive } = look.seen(clock.now()).liveness;
    await tellMore();
    if (!isAlive || terminal.isUnread()) return exit.done;
    await pauseUnless(signal, everyMs);
    if (signal.aborted) return exit.interrupted;
  }
}
