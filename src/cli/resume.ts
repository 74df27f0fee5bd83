/** `cox resume`: goes on with a run that was paused, stopped or interrupted, from exactly where its log says it stands. */
import type { Decider } from "../kernel/decider.ts";
import type { State } from "../kernel/state.ts";
import { type Budget, readBudget } from "../plan/value-readers.ts";
import type { Entered } from "../runtime/enter-run.ts";
import { openRun } from "../runtime/open-run.ts";
import { steer } from "../runtime/steer.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { problemDocument } from "../view/document.ts";
import type { Seen } from "../view/liveness.ts";
import { refusalProblem } from "../view/refusals.ts";
import { statusDocument } from "../view/status.ts";
import { summaryText } from "../view/summary.ts";
import type { Door } from "./door.ts";
import { drive } from "./drive.ts";
import { enterRun } from "./enter-run.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { tellChanged } from "./tell-changed.ts";
import { tellProblems } from "./tell-problems.ts";

export async function resume(door: Door, means: RunMeans): Promise<ExitCode> {
  const budget = budgetOf(door.values.one("budget"));
  if ("problem" in budget) return tellProblems(door, "resume", [budget.problem], exit.usage);
  const entry = await enterRun(door, means, { command: "resume", run: door.words[0] });
  if ("left" in entry) return entry.left;
  const { entered } = entry;
  if (isDone(entered.seen.state)) return tellDone(door, entered.seen);
  const by: Decider = { who: means.user, door: "command" };
  if (entered.seen.liveness.isAlive) return tellWriter(door, entered, { by, ...budget });
  const changed = tellChanged(door, means, entered);
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

function tellDone({ terminal }: Door, seen: Seen): ExitCode {
  if (terminal.json) terminal.print(`${JSON.stringify({ ...statusDocument(seen), ending: "done" })}\n`);
  else {
    terminal.notice("Nothing is left to do: every task of the run is verified.\n");
    terminal.print(summaryText(seen, { ...terminal.size(), ...terminal }));
  }
  return exit.done;
}

/** Somebody works on it already: it hears of a raised limit, or that it need not hold. */
async function tellWriter(door: Door, { world, folder, look }: Entered, wish: Resuming): Promise<ExitCode> {
  const steered = await steer(world, folder, { command: "resume", ...wish });
  await look.read();
  const seen = look.seen(world.clock.now());
  // It came to the end before it heard of us.
  if (isDone(seen.state)) return tellDone(door, seen);
  if (steered.kind === "refused")
    return tellProblems(door, "resume", [refusalProblem(steered.refusal)], exit.refused);
  const isHeard = steered.kind === "recorded" && steered.events.length > 0;
  if (!isHeard) return tellProblems(door, "resume", [atWork], exit.locked);
  const { terminal } = door;
  if (terminal.json)
    terminal.print(`${JSON.stringify({ ok: true, run: folder.run, is_running: true, errors: [] })}\n`);
  else terminal.print(`${terminal.paint("green", "✓")} the process that works on the run goes on with it\n`);
  return exit.done;
}

const atWork: Problem = {
  code: "LOCK_HELD",
  message: "another process works on the run already",
  hint: "See how it goes: cox status",
};

interface Resuming {
  readonly by: Decider;
  readonly budget?: Budget;
}

interface GoingOn extends Resuming {
  readonly warnings: readonly Problem[];
}

async function goOn(
  door: Door,
  { world, folder, look }: Entered,
  { warnings, ...wish }: GoingOn,
): Promise<ExitCode> {
  const open = await openRun(world, folder);
  // While we waited for the lock, whoever held it may have come to the end.
  if (isDone(open.coordinator.state)) {
    await open.close();
    await look.read();
    return tellDone(door, look.seen(world.clock.now()));
  }
  const admitted = open.coordinator.submit({ command: "resume", ...wish });
  if ("refused" in admitted) {
    await open.close();
    return tellProblems(door, "resume", [refusalProblem(admitted)], exit.refused);
  }
  return drive(door, { world, open, user: wish.by.who, warnings: warnings.map(problemDocument) });
}
