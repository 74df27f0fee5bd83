/** One moment on both clocks: wall time for people, run time for deadlines. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of run time. */
  readonly time: number;
}
