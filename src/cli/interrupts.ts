/**
 * Ctrl-C and its relatives: the first one asks the work to stop at the next safe place, the second ends the
 * process at once, which is safe too: the next command finishes or takes back what was under way.
 */
import { exit } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export interface Interrupts {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function watchInterrupts(terminal: Terminal): Interrupts {
  const stop = new AbortController();
  for (const signal of signals) process.on(signal, () => interrupted(terminal, stop));
  return { signal: stop.signal };
}

function interrupted(terminal: Terminal, stop: AbortController): void {
  if (!stop.signal.aborted) {
    stop.abort();
    return;
  }
  terminal.notice(
    "\nEnded at once. The next cox command here finishes what was under way, or takes it back.\n",
  );
  process.exit(exit.interrupted);
}
