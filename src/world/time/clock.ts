/** The port to wall time. */
export interface Clock {
  /** Wall time in milliseconds since 1970: for display and records only. */
  now(): number;
}
