/** The port to run time: what deadlines are measured by. */
export interface RunClock {
  /**
   * Milliseconds of run time: monotonic, and standing still while the machine or the process was suspended, so that
   * nothing that could not work is taken to be late.
   */
  elapsed(): number;
  /** Wall time in milliseconds since 1970: for display and records only. */
  now(): number;
  /** Calls once when that much more run time has passed. The answer takes the wish back. */
  after(ms: number, call: () => void): () => void;
}
