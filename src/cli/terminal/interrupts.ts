/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first one asks the work to stop at the next safe place. The second ends the
 * process at once, which is also safe: the next command finishes or undoes what was in progress. A command that has
 * agents to end takes over and receives each signal.
 *
 * The handlers stay from the first line of `main` until the process is gone. If one were removed earlier, a signal
 * could kill a program that has just reported success.
 */
import { type ExitCode, exit } from "../exit.ts";
import type { Terminal } from "./terminal.ts";

export interface Interrupts {
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** From now on `call` receives each interrupt with its number, from 1. The third one still ends the process. */
  takeOver(call: (count: number) => void): void;
  /**
   * The command has ended and reported this code; interrupts no longer change it. The second interrupt from now on
   * stops waiting for the reader of the output, with the same exit code.
   */
  settle(code: ExitCode): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function watchInterrupts(terminal: Terminal): Interrupts {
  const stop = new AbortController();
  let count = 0;
  let listener: ((count: number) => void) | undefined;
  let settled: { readonly code: ExitCode; readonly count: number } | undefined;
  const interrupted = () => {
    count += 1;
    if (settled) {
      if (count - settled.count >= 2) process.exit(settled.code);
      return;
    }
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
    settle(code) {
      settled = { code, count };
    },
  };
}

function leave(terminal: Terminal): void {
  terminal.notice("\nEnded at once. The next cox command here finishes what was under way, or undoes it.\n");
  process.exit(exit.interrupted);
}
