/** The way into a run for every command that decides something about it; what bars it is told here. */
import { type Barred, type Entered, enterRun as enter } from "../runtime/enter-run.ts";
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
    return entry;
  }
  const { problem, code } =
    "barred" in entry
      ? { problem: entry.barred.problem, code: exits[entry.barred.by] }
      : { problem: entry.stopped.problem, code: entry.stopped.exit };
  return { left: tellProblems(door, command, [problem], code) };
}

const exits: Readonly<Record<Barred["by"], ExitCode>> = {
  turn: exit.refused,
  repository: exit.notReady,
  name: exit.usage,
};
