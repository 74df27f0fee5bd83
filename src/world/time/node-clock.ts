/** The machine's clock. */
import type { Clock } from "./clock.ts";

export const nodeClock: Clock = { now: () => Date.now() };
