/** The port to time: what a wall shows, which may jump, and what has gone by, which may not. */
export interface Clock {
  /** Milliseconds since 1970, for people to read; never to measure with. */
  now(): number;
  /** Milliseconds since some moment; never goes back. */
  monotonicMs(): number;
}

export function nodeClock(): Clock {
  return { now: () => Date.now(), monotonicMs: () => performance.now() };
}
