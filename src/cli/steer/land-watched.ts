/**
 * Lands a run while somebody waits: announces the verify commands, shows their progress, and prints their output if
 * they fail.
 */
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import { type Landed, land } from "../../runtime/landing/land.ts";
import type { RunWorld } from "../../runtime/run-world.ts";
import type { OpenRun } from "../../runtime/start/open-run.ts";
import { oneLine, printableLines } from "../../std/printable.ts";
import { named } from "../../view/status/task-words.ts";
import { cutTo } from "../../view/text/width.ts";
import type { CommandContext } from "../command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface LandingWanted {
  readonly world: RunWorld;
  readonly open: OpenRun;
  readonly by: DecisionMaker;
  readonly unverified?: boolean;
}

export async function landWatched(
  { terminal, signal, ignoreKeys }: Pick<CommandContext, "terminal" | "signal" | "ignoreKeys">,
  { world, open, ...options }: LandingWanted,
): Promise<Landed> {
  const { coordinator } = open;
  if (terminal.isWatched) ignoreKeys();
  const line = liveLine(terminal);
  const stopWatching = coordinator.watch({ onSign: ({ words }) => words && line.show(words) });
  const onVerifying = (commands: readonly string[]) =>
    terminal.notice(`Verifying the result on your branch: ${named(commands, 5)}\n`);
  try {
    const landed = await land(coordinator, world, { ...options, signal, onVerifying });
    line.wipe();
    if (landed.kind === "unverified") tellOutput(terminal, landed.why);
    return landed;
  } finally {
    line.wipe();
    stopWatching();
  }
}

/** One line that redraws itself on a watched terminal. */
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

/** Leaves out the first line, which names the command: the problem printed next contains it. */
function tellOutput({ notice, noticePaint }: Terminal, why: string): void {
  const [, ...lines] = printableLines(why, { lines: 60, width: 300 });
  for (const line of lines) notice(`${noticePaint("dim", `  | ${line}`)}\n`);
}
