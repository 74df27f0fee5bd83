/** `cox land`: brings a run's commits onto the user's branch, after showing what that changes. */

import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import { landAlone } from "../../runtime/landing/land-alone.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import { openRun } from "../../runtime/start/open-run.ts";
import type { Problem } from "../../std/problem.ts";
import { type LandingShown, landingText } from "../../view/end/landing.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { enterRunCommand } from "../begin/enter-run.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { askYes } from "../terminal/ask-yes.ts";
import { landWatched } from "./land-watched.ts";
import { landedDocument, landedWords, landingProblems, plannedLanding, recoveredWords } from "./landing.ts";

export async function landCommand(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const entry = await enterRunCommand(door, ports, { command: "land", run: door.words[0] });
  if ("left" in entry) return entry.left;
  const { world } = entry.entered;
  const place = { files: world.files, root: world.repository.root, waitMs: 0 };
  return landAlone(place, () => landInTurn(door, ports, entry.entered));
}

async function landInTurn(door: CommandContext, ports: RunPorts, entered: Entered): Promise<ExitCode> {
  const { world, look } = entered;
  // Another process may have landed it since we read the log.
  await look.read();
  const seen = look.seen(world.clock.now());
  if (seen.liveness.isAlive) return tellProblems(door, "land", [atWork], exit.locked);
  if (seen.state.tip === seen.state.run?.base) return tellNothing(door, entered, "the run has no commit yet");
  const planned = await plannedLanding(world, seen.state, { unverified: door.values.has("unverified") });
  if (planned.kind === "already") return tellAlready(door, entered);
  if (planned.kind === "refused") return tellProblems(door, "land", [planned.problem], exit.refused);

  const { terminal } = door;
  const { shown } = planned;
  terminal.notice(
    landingText(shown, { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii }),
  );
  if (door.values.has("dry-run")) return tellDryRun(door, shown);
  const yes = await askYes(door, { question: "Land it?", what: "to changing your branch and checkout" });
  if (!yes.isGiven) return tellProblems(door, "land", [yes.problem], yes.exit);
  return landEntered(door, entered, { who: ports.user, door: yes.door });
}

const atWork: Problem = {
  code: "LOCK_HELD",
  message: "a process is working on the run; it can be landed when no process is",
  hint: "Wait for it, or pause it: cox pause. Then: cox land",
};

/** An earlier landing that was interrupted has been finished, and that is what the user wanted. */
function tellAlready(door: CommandContext, entered: Entered): ExitCode {
  const { recovered } = entered;
  const isFinished = recovered && recovered.givenUp === undefined;
  return tellNothing(
    door,
    entered,
    isFinished ? recoveredWords(recovered) : "your branch already has everything of the run",
  );
}

function tellNothing({ terminal }: CommandContext, { folder }: Entered, why: string): ExitCode {
  if (terminal.json)
    terminal.print(jsonText({ ok: true, run: folder.run, landed: null, reason: why, errors: [] }));
  else terminal.print(`Nothing to land: ${why}.\n`);
  return exit.done;
}

function tellDryRun({ terminal }: CommandContext, shown: LandingShown): ExitCode {
  if (terminal.json)
    terminal.print(jsonText({ ok: true, run: shown.run, dry_run: true, plan: shown, errors: [] }));
  else terminal.notice("dry run, nothing was changed\n");
  return exit.done;
}

async function landEntered(door: CommandContext, entered: Entered, by: DecisionMaker): Promise<ExitCode> {
  const { landed, problems } = await landAndClose(door, entered, by);
  if (problems.length > 0) return tellProblems(door, "land", problems, exit.refused);
  // Somebody merged it while the verify commands ran.
  if (landed.kind !== "landed") return tellAlready(door, entered);
  const { terminal } = door;
  const { run } = entered.folder;
  if (terminal.json) terminal.print(jsonText({ ok: true, run, landed: landedDocument(landed), errors: [] }));
  else terminal.print(`${terminal.paint("green", "✓")} ${landedWords(landed)}\n`);
  return exit.done;
}

/**
 * Closes the run before the result is reported, so that nothing can be interrupted between the report and the exit
 * code.
 */
async function landAndClose(door: CommandContext, { world, folder }: Entered, by: DecisionMaker) {
  const open = await openRun(world, folder);
  try {
    const unverified = door.values.has("unverified");
    const landed = await landWatched(door, { world, open, by, unverified });
    return { landed, problems: landingProblems(landed, open.coordinator.state, door.terminal) };
  } finally {
    await open.close();
  }
}
