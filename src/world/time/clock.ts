/** The port to wall time, and the machine's clock. */
export interface Clock {
  /** Wall time in milliseconds since 1970: for display and records only. */
  now(): number;
}

export const nodeClock: Clock = { now: () => Date.now() };
