/**
 * `cox log`: what happened, one line an event, from the beginning; as it goes on with `--follow`, as it was recorded with
 * `--json`. Whether it is as it was written, and what to do when it is not: `--verify` and `--repair`. With
 * `--documents`, of the documents instead of a run.
 */

import { chooseRun } from "../runtime/choose-run.ts";
import { RunLook } from "../runtime/look-at-run.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { refusalProblem } from "../view/refusals.ts";
import { pauseUnless } from "../world/pause.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { findTask } from "./find-task.ts";
import { LogPrinter } from "./log-printer.ts";
import { repairRunLog } from "./repair-run-log.ts";
import type { LogMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";
import { verifyRunLog } from "./verify-run-log.ts";

export async function log(door: Door, means: LogMeans): Promise<ExitCode> {
  const { files, values, words } = door;
  if (values.has("documents")) return (await import("./log-documents.ts")).logDocuments(door, means);
  const chosen = chooseRun(files, runsRoot(files, values.one("root")), words[0]);
  if ("problem" in chosen) return tellProblems(door, "log", [chosen.problem], exit.usage);
  const { folder } = chosen;
  if (!values.has("verify") && !values.has("repair")) return tellLog(door, folder);
  try {
    if (values.has("repair")) return await repairRunLog(door, folder, means);
    return verifyRunLog(door, folder);
  } finally {
    folder.close();
  }
}

async function tellLog(door: Door, folder: RunFolder): Promise<ExitCode> {
  const { files, values, clock } = door;
  const look = new RunLook(files, folder);
  try {
    const records = await look.readAll();
    const wanted = values.one("task");
    const found = wanted === undefined ? undefined : findTask(look.seen(clock.now()).state, wanted);
    if (found && "refused" in found) return tellProblems(door, "log", [refusalProblem(found)], exit.refused);
    const printer = new LogPrinter(door.terminal, {
      level: Number(values.one("level") ?? (door.terminal.json ? 3 : 2)),
      task: found?.task.facts.task,
    });
    printer.print(records);
    const tellMore = async () => {
      for (let more = await look.readAll(); more.length > 0; more = await look.readAll()) printer.print(more);
    };
    if (values.has("follow")) return await follow(door, look, tellMore);
    await tellMore();
    return exit.done;
  } finally {
    look.close();
  }
}

const everyMs = 250;

/** Until nobody is at work on the run: nothing more will be recorded then before somebody types a command. */
async function follow(
  { signal, terminal, clock }: Door,
  look: RunLook,
  tellMore: () => Promise<void>,
): Promise<ExitCode> {
  for (;;) {
    // Asked before the log is read: what the writer recorded last is then read for certain.
    const { isAlive } = look.seen(clock.now()).liveness;
    await tellMore();
    if (!isAlive || terminal.isUnread()) return exit.done;
    await pauseUnless(signal, everyMs);
    if (signal.aborted) return exit.interrupted;
  }
}
