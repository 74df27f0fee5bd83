/** `cox resume`: continues a run that was paused, stopped or interrupted, from exactly where its log says it is. */

import { admit } from "../../kernel/admit.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { State } from "../../kernel/state.ts";
import { type Budget, readBudget } from "../../plan/value-readers.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import { openRun } from "../../runtime/start/open-run.ts";
import { steer } from "../../runtime/steer.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { summaryText } from "../../view/end/summary.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import { statusDocument } from "../../view/status/status.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { approvedRun } from "./approved-run.ts";
import { drive } from "./drive.ts";
import { enterRunCommand } from "./enter-run.ts";
import type { RunPorts } from "./run-ports.ts";
import { tellChanged } from "./tell-changed.ts";
import { uncountedRaise } from "./uncounted-raise.ts";

export async function resume(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const budget = budgetOf(door.values.one("budget"));
  if ("problem" in budget) return tellProblems(door, "resume", [budget.problem], exit.usage);
  const entry = await enterRunCommand(door, ports, {
    command: "resume",
    run: door.words[0],
    approve: approvedRun,
  });
  if ("left" in entry) return entry.left;
  const { entered } = entry;
  if (isDone(entered.seen.state)) return tellDone(door, entered.seen);
  const uncounted = await uncountedRaise(door, entered, budget.budget);
  if (uncounted) return tellProblems(door, "resume", [uncounted], exit.usage);
  const by: DecisionMaker = { who: ports.user, door: "command" };
  if (entered.seen.liveness.isAlive) return tellWriter(door, entered, { by, ...budget });
  const changed = tellChanged(door, ports, entered);
  return goOn(door, entered, { by, ...budget, warnings: changed });
}

function budgetOf(text: string | undefined): { readonly budget?: Budget } | { readonly problem: Problem } {
  if (text === undefined) return {};
  const reading = readBudget(text);
  if ("value" in reading) return { budget: reading.value };
  const message = `--budget must be ${reading.expected}, not ${quote(text, 60)}`;
  return { problem: { code: "USAGE", message, hint: `Type: cox resume --budget "${reading.example}"` } };
}

function isDone({ status }: State): boolean {
  return status.name === "finished" && status.outcome === "done";
}

function tellDone({ terminal }: CommandContext, seen: RunSnapshot): ExitCode {
  if (terminal.json) terminal.print(jsonText({ ...statusDocument(seen), ending: "done" }));
  else {
    terminal.notice("Nothing is left to do: every task of the run is done.\n");
    terminal.print(summaryText(seen, { ...terminal.size(), ...terminal }));
  }
  return exit.done;
}

/** Another process is already working on the run: send it the raised limit, or the order to continue. */
async function tellWriter(
  door: CommandContext,
  { world, folder, look }: Entered,
  options: ResumeOptions,
): Promise<ExitCode> {
  const steered = await steer(world, folder, { command: "resume", ...options });
  await look.read();
  const seen = look.seen(world.clock.now());
  // The run finished before our command reached it.
  if (isDone(seen.state)) return tellDone(door, seen);
  if (steered.kind === "refused")
    return tellProblems(door, "resume", [refusalProblem(steered.refusal)], exit.refused);
  const isHeard = steered.kind === "recorded" && steered.events.length > 0;
  if (!isHeard) return tellProblems(door, "resume", [atWork], exit.locked);
  const { terminal } = door;
  if (terminal.json) terminal.print(jsonText({ ok: true, run: folder.run, is_running: true, errors: [] }));
  else terminal.print(`${terminal.paint("green", "✓")} the process that works on the run continues\n`);
  return exit.done;
}

const atWork: Problem = {
  code: "LOCK_HELD",
  message: "another process is already working on the run",
  hint: "Watch it: cox status",
};

interface ResumeOptions {
  readonly by: DecisionMaker;
  readonly budget?: Budget;
}

interface GoingOn extends ResumeOptions {
  readonly warnings: readonly Problem[];
}

async function goOn(
  door: CommandContext,
  { world, folder, look }: Entered,
  { warnings, ...options }: GoingOn,
): Promise<ExitCode> {
  // Opening the run for work already resumes it, so check first that it may be resumed.
  const judged = admit(look.seen(world.clock.now()).state, { command: "resume", ...options });
  if ("refused" in judged) return tellProblems(door, "resume", [refusalProblem(judged)], exit.refused);
  const open = await openRun(world, folder, "work");
  // The previous holder of the lock may have finished the run while we waited.
  if (isDone(open.coordinator.state)) {
    await open.close();
    await look.read();
    return tellDone(door, look.seen(world.clock.now()));
  }
  const admitted = open.coordinator.submit({ command: "resume", ...options });
  if ("refused" in admitted) {
    await open.close();
    return tellProblems(door, "resume", [refusalProblem(admitted)], exit.refused);
  }
  return drive(door, { world, open, user: options.by.who, warnings: warnings.map(problemDocument) });
}
