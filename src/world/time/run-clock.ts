/** The port to run time, which deadlines are measured in. */
export interface RunClock {
  /**
   * Milliseconds of run time: monotonic, and paused while the machine or the process is suspended, so that what could
   * not work is not considered late.
   */
  elapsed(): number;
  /** Wall time in milliseconds since 1970: for display and records only. */
  now(): number;
  /** Calls once after that much more run time. The returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}
