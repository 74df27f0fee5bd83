/** The way into a run for every command that decides something about it; what bars it is told here. */
import { type Barred, type Entered, enterRun as enter } from "../runtime/enter-run.ts";
import { otherOpenRuns } from "../runtime/run-glance.ts";
import { oneLine } from "../std/printable.ts";
import { approvedRun } from "./approved-run.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { recoveredWords } from "./landing.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export type Entry = { readonly entered: Entered } | { readonly left: ExitCode };

export async function enterRun(
  door: Door,
  means: RunMeans,
  { command, run }: { readonly command: string; readonly run?: string | undefined },
): Promise<Entry> {
  const entering = { ...means, root: door.values.one("root") ?? ".", run };
  const entry = await enter(entering, async (approved, state) => {
    const yes = await approvedRun(door, { approved, state, mayAsk: command === "resume" });
    return yes.isGiven ? undefined : yes;
  });
  if ("entered" in entry) {
    const { recovered } = entry.entered;
    if (recovered)
      door.terminal.notice(`${door.terminal.noticePaint("yellow", "↻")} ${recoveredWords(recovered)}\n`);
    if (run === undefined) await tellChosen(door, entry.entered);
    return entry;
  }
  const { problem, code } =
    "barred" in entry
      ? { problem: entry.barred.problem, code: exits[entry.barred.by] }
      : { problem: entry.stopped.problem, code: entry.stopped.exit };
  return { left: tellProblems(door, command, [problem], code) };
}

/** Where several runs are open, a command without a name is about the one that began last: which one that is, is said. */
async function tellChosen({ terminal }: Door, { world, folder }: Entered): Promise<void> {
  if (terminal.json) return;
  const runs = { files: world.files, root: world.repository.root, now: world.clock.now() };
  const [other] = await otherOpenRuns(runs, folder.run);
  if (other)
    terminal.notice(
      `This is about ${oneLine(folder.run, 60)}, the run that began last; ${oneLine(other.run, 60)} is open too (cox status --all).\n`,
    );
}

const exits: Readonly<Record<Barred["by"], ExitCode>> = {
  turn: exit.refused,
  repository: exit.notReady,
  name: exit.usage,
};
