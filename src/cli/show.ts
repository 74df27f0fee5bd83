/** Shows a run as it goes: permanent lines, and below them, where somebody watches, a region that replaces itself. */
import type { Recorded } from "../journal/journal.ts";
import type { Coordinator } from "../runtime/coordinator.ts";
import type { LiveSigns } from "../runtime/live-signs.ts";
import { liveFrame } from "../view/live-frame.ts";
import { LogReader, logLineText } from "../view/log-line.ts";
import type { RunClock } from "../world/run-clock.ts";
import { LiveRegion } from "./live-region.ts";
import type { Terminal } from "./terminal.ts";

export interface Show {
  end(): void;
}

const frameMs = 100;
/** So that nobody takes a quiet run for a dead one. */
const heartbeatMs = 60_000;

export function openShow(
  terminal: Terminal,
  coordinator: Coordinator,
  signs: LiveSigns,
  clock: RunClock,
): Show {
  const reader = new LogReader();
  for (const recorded of coordinator.recordedSoFar) reader.read(recorded);
  const look = () => ({
    ...terminal.size(),
    // Whoever reads it later in a file has no edge to cut it at.
    ...(terminal.isWatched ? {} : { columns: 1000 }),
    paint: terminal.noticePaint,
    ascii: terminal.ascii,
    clock: clockTime,
  });
  const linesOf = (recorded: readonly Recorded[]) =>
    recorded
      .map((one) => reader.read(one))
      .filter(({ level }) => level <= 2)
      .map((line) => logLineText(line, look()));
  return terminal.isWatched
    ? showLive({ terminal, coordinator, signs, clock }, linesOf)
    : showPlain({ terminal, coordinator, signs, clock }, linesOf);
}

interface Shown {
  readonly terminal: Terminal;
  readonly coordinator: Coordinator;
  readonly signs: LiveSigns;
  readonly clock: RunClock;
}

type LinesOf = (recorded: readonly Recorded[]) => string[];

function showLive({ terminal, coordinator, signs, clock }: Shown, linesOf: LinesOf): Show {
  const region = new LiveRegion({ write: terminal.notice });
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
      region.end();
      process.removeListener("exit", restore);
    },
  };
}

function showPlain({ terminal, coordinator, clock }: Shown, linesOf: LinesOf): Show {
  let takeBack = () => {};
  const beat = () => {
    const { turns, tasks, index } = coordinator.state;
    terminal.notice(
      `${clockTime(clock.now())} · ${index.counts.verified} of ${tasks.size} done, ${turns.size} at work\n`,
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
