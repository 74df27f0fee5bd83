/** Lands a run for whoever waits for it: what is verified first is said, heard of as it goes, and shown where it fails. */
import type { Decider } from "../kernel/decider.ts";
import { type Landed, land } from "../runtime/land.ts";
import type { OpenRun } from "../runtime/open-run.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { oneLine, printableLines } from "../std/printable.ts";
import { named } from "../view/task-words.ts";
import { cutTo } from "../view/width.ts";
import type { Door } from "./door.ts";
import type { Terminal } from "./terminal.ts";

export interface LandingWanted {
  readonly world: RunWorld;
  readonly open: OpenRun;
  readonly by: Decider;
  readonly unverified?: boolean;
}

export async function landWatched(
  { terminal, signal }: Pick<Door, "terminal" | "signal">,
  { world, open, ...wish }: LandingWanted,
): Promise<Landed> {
  const { coordinator } = open;
  const line = liveLine(terminal);
  const stopWatching = coordinator.watch({ onSign: ({ words }) => words && line.show(words) });
  const onVerifying = (commands: readonly string[]) =>
    terminal.notice(`Verifying what your branch would be: ${named(commands, 5)}\n`);
  try {
    const landed = await land(coordinator, world, { ...wish, signal, onVerifying });
    line.wipe();
    if (landed.kind === "unverified") tellOutput(terminal, landed.why);
    return landed;
  } finally {
    line.wipe();
    stopWatching();
  }
}

/** One line that replaces itself, where somebody watches. */
function liveLine(terminal: Terminal) {
  let isShown = false;
  return {
    show(words: string) {
      if (!terminal.isWatched) return;
      isShown = true;
      terminal.notice(`\r\x1b[K${cutTo(`  ${oneLine(words, 200)}`, terminal.size().columns - 1)}`);
    },
    wipe() {
      if (isShown) terminal.notice("\r\x1b[K");
      isShown = false;
    },
  };
}

/** The first line says which command; the problem that is told next has it. */
function tellOutput({ notice, noticePaint }: Terminal, why: string): void {
  const [, ...lines] = printableLines(why, { lines: 60, width: 300 });
  for (const line of lines) notice(`${noticePaint("dim", `  | ${line}`)}\n`);
}
