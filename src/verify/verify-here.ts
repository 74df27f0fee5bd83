/**
 * Runs a command that verifies a task of a document, in the repository as it is: no separate checkout, no setup, and
 * the user's own rights, because the user trusts the command by name. It has a clean environment and a time limit, and
 * nothing it starts outlives it.
 */
import { cleanEnvironment } from "../world/processes/clean-environment.ts";
import type { Processes } from "../world/processes/processes.ts";
import type { RunClock } from "../world/time/run-clock.ts";
import { CommandRun } from "./command-run.ts";

export interface HereParts {
  readonly processes: Processes;
  readonly clock: RunClock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The repository's folder. */
  readonly folder: string;
  readonly limitMs?: number;
}

export interface HereEnd {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly why?: string;
  readonly output: string;
}

const usualLimitMs = 15 * 60_000;

/** Never rejects. */
export async function verifyHere(
  { processes, clock, environment, folder, limitMs = usualLimitMs }: HereParts,
  { command, signal }: { readonly command: string; readonly signal: AbortSignal },
): Promise<HereEnd> {
  const clean = { ...cleanEnvironment(environment), CI: "1" };
  const run = new CommandRun({ processes, command, folder, environment: clean });
  const cancel = () => run.cancel();
  let isLate = false;
  const takeBack = clock.after(limitMs, () => {
    isLate = true;
    cancel();
  });
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const { evidence, why } = await run.ended;
    const { exitCode, output } = evidence;
    const reason = isLate ? `it took longer than ${limitMs / 60_000} minutes` : why;
    return { passed: reason === undefined, exitCode, output, ...(reason !== undefined && { why: reason }) };
  } finally {
    takeBack();
    signal.removeEventListener("abort", cancel);
  }
}
