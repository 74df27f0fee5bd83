/** `cox land`: brings a run's commits onto the user's branch, after showing what that changes. */
import type { Decider } from "../kernel/decider.ts";
import type { Entered } from "../runtime/enter-run.ts";
import { openRun } from "../runtime/open-run.ts";
import type { Problem } from "../std/problem.ts";
import { type LandingShown, landingText } from "../view/landing.ts";
import { askYes } from "./ask-yes.ts";
import type { Door } from "./door.ts";
import { enterRun } from "./enter-run.ts";
import { type ExitCode, exit } from "./exit.ts";
import { landWatched } from "./land-watched.ts";
import { landedDocument, landedWords, landingProblems, plannedLanding, recoveredWords } from "./landing.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function land(door: Door, means: RunMeans): Promise<ExitCode> {
  const entry = await enterRun(door, means, { command: "land", run: door.words[0] });
  if ("left" in entry) return entry.left;
  const { entered } = entry;
  const { world, seen } = entered;
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
  return landEntered(door, entered, { who: means.user, door: yes.door });
}

const atWork: Problem = {
  code: "LOCK_HELD",
  message: "a process works on the run; what it has committed is landed when it is not",
  hint: "Wait for it, or hold it: cox pause. Then: cox land",
};

/** What a landing before this one had left to do is done, and that is what was wanted. */
function tellAlready(door: Door, entered: Entered): ExitCode {
  const { recovered } = entered;
  const isFinished = recovered && recovered.givenUp === undefined;
  return tellNothing(
    door,
    entered,
    isFinished ? recoveredWords(recovered) : "your branch has all of the run already",
  );
}

function tellNothing({ terminal }: Door, { folder }: Entered, why: string): ExitCode {
  if (terminal.json)
    terminal.print(
      `${JSON.stringify({ ok: true, run: folder.run, landed: null, reason: why, errors: [] })}\n`,
    );
  else terminal.print(`Nothing to land: ${why}.\n`);
  return exit.done;
}

function tellDryRun({ terminal }: Door, shown: LandingShown): ExitCode {
  if (terminal.json)
    terminal.print(
      `${JSON.stringify({ ok: true, run: shown.run, dry_run: true, plan: shown, errors: [] })}\n`,
    );
  else terminal.notice("dry run, nothing was changed\n");
  return exit.done;
}

async function landEntered(door: Door, entered: Entered, by: Decider): Promise<ExitCode> {
  const { world, folder } = entered;
  const open = await openRun(world, folder);
  try {
    const unverified = door.values.has("unverified");
    const landed = await landWatched(door, { world, open, by, unverified });
    const problems = landingProblems(landed, open.coordinator.state, door.terminal);
    if (problems.length > 0) return tellProblems(door, "land", problems, exit.refused);
    // Somebody merged it while the commands ran.
    if (landed.kind !== "landed") return tellAlready(door, entered);
    const { terminal } = door;
    if (terminal.json)
      terminal.print(
        `${JSON.stringify({ ok: true, run: folder.run, landed: landedDocument(landed), errors: [] })}\n`,
      );
    else terminal.print(`${terminal.paint("green", "✓")} ${landedWords(landed)}\n`);
    return exit.done;
  } finally {
    await open.close();
  }
}
