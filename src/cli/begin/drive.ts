/** Drives an open run to its end for the user who started it: shows progress, handles Ctrl-C, and prints a summary. */

import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import { LiveFile } from "../../runtime/folder/live-file.ts";
import { isReportedTrouble, RunViews } from "../../runtime/folder/run-views.ts";
import type { LoopOutcome } from "../../runtime/loop/coordinator.ts";
import { LiveSigns } from "../../runtime/loop/live-signs.ts";
import { serveInbox } from "../../runtime/loop/serve-inbox.ts";
import { summaryText } from "../../view/end/summary.ts";
import { statusDocument } from "../../view/status/status.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { openShow } from "../look/show.ts";
import { type DrivenRun, LandingAtEnd } from "../steer/landing-at-end.ts";

export async function drive(door: CommandContext, driving: DrivenRun): Promise<ExitCode> {
  const { coordinator, folder } = driving.open;
  const signs = new LiveSigns(coordinator);
  const live = new LiveFile(coordinator, folder, signs);
  try {
    return await driveShown(door, driving, { signs, live });
  } finally {
    live.end();
  }
}

interface Shown {
  readonly signs: LiveSigns;
  readonly live: LiveFile;
}

async function driveShown(
  door: CommandContext,
  driving: DrivenRun,
  { signs, live }: Shown,
): Promise<ExitCode> {
  const { world, open } = driving;
  const { coordinator, folder, inbox } = open;
  const { terminal } = door;
  const views = new RunViews(coordinator, folder);
  const show = openShow(door, coordinator, signs, world.clock);
  steerByInterrupts(door, driving);
  const stopInbox = serveInbox(coordinator, inbox);
  const leaveWhenWaiting = !terminal.isWatched || door.values.has("no-input");
  let ending: LoopOutcome;
  try {
    ending = await coordinator.run({ leaveWhenWaiting });
  } catch (error) {
    await coordinator.abandon();
    throw error;
  } finally {
    stopInbox();
    show.end();
  }
  const code = exitOf(ending, door.signal.aborted);
  const landing = new LandingAtEnd(door, driving);
  if (ending === "done") await landing.byItself();
  await views.end();
  const now = live.end();
  const seen = { state: coordinator.state, now, liveness: signs.liveness() };
  if (!terminal.json) terminal.print(summaryText(seen, { ...terminal.size(), ...terminal }));
  if (ending === "done") await landing.ifWanted();
  await open.close().catch((error: unknown) => {
    if (!isReportedTrouble(coordinator.state, error)) throw error;
  });
  if (terminal.json) {
    const { warnings = [] } = driving;
    terminal.print(jsonText({ ok: ending === "done", ...statusDocument(seen), ending, warnings }));
  }
  return code;
}

/** First Ctrl-C: agents at work finish their turns, then the run pauses. Second: agents and verify commands are ended. */
function steerByInterrupts(door: CommandContext, { open: { coordinator }, user }: DrivenRun): void {
  const by: DecisionMaker = { who: user, door: "terminal" };
  door.takeOverInterrupts((count) => {
    if (count === 1) {
      door.terminal.notice("\nRunning turns finish; no new ones start. Press again to end them now.\n");
      coordinator.submitOrFail({
        command: "pause",
        reason: "person",
        detail: "interrupted from the terminal",
        by,
      });
    } else {
      door.terminal.notice(
        "\nEnding agents and verify commands. Their work stays at the desks. Press again to leave at once.\n",
      );
      coordinator.submitOrFail({ command: "stop", by });
    }
  });
}

function exitOf(ending: LoopOutcome, isInterrupted: boolean): ExitCode {
  switch (ending) {
    case "done":
    case "rolled-back":
      return exit.done;
    case "failed":
      return exit.refused;
    case "waiting":
      return exit.waiting;
    case "paused":
      return isInterrupted ? exit.interrupted : exit.paused;
    case "stopped":
      return exit.interrupted;
  }
}
