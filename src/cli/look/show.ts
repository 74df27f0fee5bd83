/** Shows a run's progress: permanent lines, and on a watched terminal a region below them that redraws itself. */
import type { Recorded } from "../../journal/journal.ts";
import type { Coordinator } from "../../runtime/loop/coordinator.ts";
import type { LiveSigns } from "../../runtime/loop/live-signs.ts";
import { liveFrame } from "../../view/live/live-frame.ts";
import { LogReader, logLineText } from "../../view/log/log-line.ts";
import { groupCounts } from "../../view/status/groups.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import type { CommandContext } from "../command-context.ts";
import { LiveRegion } from "../terminal/live-region.ts";

export interface Show {
  end(): void;
}

const frameMs = 100;
/** Printed so often that nobody takes a quiet run for a dead one. */
const heartbeatMs = 60_000;

export function openShow(
  door: Pick<CommandContext, "terminal" | "ignoreKeys">,
  coordinator: Coordinator,
  signs: LiveSigns,
  clock: RunClock,
): Show {
  const { terminal } = door;
  const reader = new LogReader();
  for (const recorded of coordinator.recordedSoFar) reader.read(recorded);
  const look = () => ({
    ...terminal.size(),
    // Output in a file has no terminal width to cut lines to.
    ...(terminal.isWatched ? {} : { columns: 1000 }),
    paint: terminal.noticePaint,
    ascii: terminal.ascii,
    clock: clockTime,
    taskWidth: reader.taskWidth,
  });
  const linesOf = (recorded: readonly Recorded[]) =>
    recorded
      .map((one) => reader.read(one))
      .filter(({ level }) => level <= 2)
      .map((line) => logLineText(line, look()));
  return terminal.isWatched
    ? showLive({ door, coordinator, signs, clock }, linesOf)
    : showPlain({ door, coordinator, signs, clock }, linesOf);
}

interface Shown {
  readonly door: Pick<CommandContext, "terminal" | "ignoreKeys">;
  readonly coordinator: Coordinator;
  readonly signs: LiveSigns;
  readonly clock: RunClock;
}

type LinesOf = (recorded: readonly Recorded[]) => string[];

function showLive({ door, coordinator, signs, clock }: Shown, linesOf: LinesOf): Show {
  const { terminal } = door;
  const region = new LiveRegion({ write: terminal.notice });
  const forget = door.ignoreKeys(region);
  const frame = () => {
    const now = { at: clock.now(), time: coordinator.now() };
    const seen = { state: coordinator.state, now, liveness: signs.liveness() };
    return liveFrame(seen, { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii });
  };
  coordinator.watch({ onRecorded: (recorded) => region.add(linesOf(recorded), frame()) });
  const restore = () => region.end();
  process.once("exit", restore);
  let takeBack = () => {};
  const tick = () => {
    region.show(frame());
    takeBack = clock.after(frameMs, tick);
  };
  tick();
  return {
    end() {
      takeBack();
      forget();
      region.end();
      process.removeListener("exit", restore);
    },
  };
}

function showPlain({ door: { terminal }, coordinator, clock }: Shown, linesOf: LinesOf): Show {
  let takeBack = () => {};
  const beat = () => {
    const { state } = coordinator;
    const { done, needs_you: forYou } = groupCounts(state);
    const asked = forYou > 0 ? `, ${forYou} for you` : "";
    terminal.notice(
      `${clockTime(clock.now())} · ${done} of ${state.tasks.size} done, ${state.turns.size} at work${asked}\n`,
    );
    takeBack = clock.after(heartbeatMs, beat);
  };
  takeBack = clock.after(heartbeatMs, beat);
  coordinator.watch({
    onRecorded: (recorded) => {
      for (const line of linesOf(recorded)) terminal.notice(`${line}\n`);
    },
  });
  return { end: () => takeBack() };
}

export function clockTime(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
