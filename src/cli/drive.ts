/** Runs an open run to its end for whoever started it: shown as it goes, steered by Ctrl-C, summed up at the end. */
import type { Decider } from "../kernel/decider.ts";
import type { Ending } from "../runtime/coordinator.ts";
import { LiveSigns } from "../runtime/live-signs.ts";
import { RunViews } from "../runtime/run-views.ts";
import { serveInbox } from "../runtime/serve-inbox.ts";
import { jsonText } from "../view/json-text.ts";
import { statusDocument } from "../view/status.ts";
import { summaryText } from "../view/summary.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { type Driving, LandingAtEnd } from "./landing-at-end.ts";
import { openShow } from "./show.ts";

export async function drive(door: Door, driving: Driving): Promise<ExitCode> {
  const { world, open } = driving;
  const { coordinator, folder, inbox } = open;
  const { terminal } = door;
  const signs = new LiveSigns(coordinator);
  const views = new RunViews(coordinator, folder, signs);
  const show = openShow(terminal, coordinator, signs, world.clock);
  steerByInterrupts(door, driving);
  const stopInbox = serveInbox(coordinator, inbox);
  const leaveWhenWaiting = !terminal.isWatched || door.values.has("no-input");
  let ending: Ending;
  try {
    ending = await coordinator.run({ leaveWhenWaiting });
  } catch (error) {
    await coordinator.abandon();
    throw error;
  } finally {
    stopInbox();
    show.end();
  }
  const landing = new LandingAtEnd(door, driving);
  if (ending === "done") await landing.byItself();
  await views.end();
  const now = { at: world.clock.now(), time: coordinator.now() };
  const seen = { state: coordinator.state, now, liveness: signs.liveness() };
  if (terminal.json) {
    const { warnings = [] } = driving;
    terminal.print(jsonText({ ok: ending === "done", ...statusDocument(seen), ending, warnings }));
  } else terminal.print(summaryText(seen, { ...terminal.size(), ...terminal }));
  if (ending === "done") await landing.ifWanted();
  await open.close();
  return exitOf(ending, door.signal.aborted);
}

/** Once: those at work finish, then it holds. Twice: those at work are ended. */
function steerByInterrupts(door: Door, { open: { coordinator }, user }: Driving): void {
  const by: Decider = { who: user, door: "terminal" };
  door.takeOverInterrupts((count) => {
    if (count === 1) {
      door.terminal.notice("\nAgents at work finish their turn; nobody else begins. Again: end them now.\n");
      coordinator.offer({ command: "pause", reason: "person", detail: "interrupted from the terminal", by });
    } else {
      door.terminal.notice(
        "\nEnding agents and verify commands. What was done stays at the desks. Again: leave at once.\n",
      );
      coordinator.offer({ command: "stop", by });
    }
  });
}

function exitOf(ending: Ending, isInterrupted: boolean): ExitCode {
  switch (ending) {
    case "done":
    case "settled":
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
