/** Opens a run for every command that decides something about it, and reports what prevents that. */
import type { State } from "../../kernel/state.ts";
import { otherOpenRuns } from "../../runtime/run-glance.ts";
import { type ApprovedHere, notApproved } from "../../runtime/start/approved-here.ts";
import { type Barred, type Entered, enterRun as enter } from "../../runtime/start/enter-run.ts";
import { oneLine } from "../../std/printable.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { recoveredWords } from "../steer/landing.ts";
import { tellProblems } from "../tell-problems.ts";
import type { Yes } from "../terminal/ask-yes.ts";
import type { RunPorts } from "./run-ports.ts";

export type EnterResult = { readonly entered: Entered } | { readonly left: ExitCode };

export interface EntryOptions {
  readonly command: string;
  readonly run?: string | undefined;
  /** Asks for approval of a run that was not approved here. Without it, such a run is refused. */
  readonly approve?: (door: CommandContext, approved: ApprovedHere, state: State) => Promise<Yes>;
}

export async function enterRunCommand(
  door: CommandContext,
  ports: RunPorts,
  { command, run, approve }: EntryOptions,
): Promise<EnterResult> {
  const entering = { ...ports, root: door.values.one("root") ?? ".", run };
  const entry = await enter(entering, async (approved, state) => {
    if (approved.isGiven) return undefined;
    if (!approve) return { problem: notApproved, exit: exit.refused };
    const yes = await approve(door, approved, state);
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

/** If several runs are open, a command without a run's name means the one that began last. Says which one that is. */
async function tellChosen({ terminal }: CommandContext, { world, folder }: Entered): Promise<void> {
  if (terminal.json) return;
  const runs = { files: world.files, root: world.repository.root, now: world.clock.now() };
  const [other] = await otherOpenRuns(runs, folder.run);
  if (other)
    terminal.notice(
      `This is ${oneLine(folder.run, 60)}, the newest run; ${oneLine(other.run, 60)} is open too (cox status --all).\n`,
    );
}

const exits: Readonly<Record<Barred["by"], ExitCode>> = {
  turn: exit.refused,
  repository: exit.notReady,
  name: exit.usage,
};
