/**
 * Ctrl-C and its relatives: the first one asks the work to stop at the next safe place, the second ends the
 * process at once, which is safe too: the next command finishes or takes back what was under way. A command that has
 * agents to end takes them over, and hears of each.
 */
import { exit } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export interface Interrupts {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
  /** From now on `call` hears of each, by its number from 1; the third one ends the process all the same. */
  takeOver(call: (count: number) => void): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function watchInterrupts(terminal: Terminal): Interrupts {
  const stop = new AbortController();
  let count = 0;
  let listener: ((count: number) => void) | undefined;
  const interrupted = () => {
    count += 1;
    stop.abort();
    if (count < (listener ? 3 : 2)) listener?.(count);
    else leave(terminal);
  };
  for (const signal of signals) process.on(signal, interrupted);
  return {
    signal: stop.signal,
    takeOver(call) {
      listener = call;
    },
  };
}

function leave(terminal: Terminal): void {
  terminal.notice(
    "\nEnded at once. The next cox command here finishes what was under way, or takes it back.\n",
  );
  process.exit(exit.interrupted);
}
