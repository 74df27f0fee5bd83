/** Waiting, for the few places that need it. */
import { setTimeout as sleep } from "node:timers/promises";

export function pause(ms: number): Promise<void> {
  return sleep(ms);
}

/** Waits until the time has passed or the signal is aborted, whichever comes first. */
export async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
