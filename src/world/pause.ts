/** Waiting, for the few places that must. */
import { setTimeout as sleep } from "node:timers/promises";

export function pause(ms: number): Promise<void> {
  return sleep(ms);
}
