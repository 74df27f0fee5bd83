/** The exit codes. They are part of the interface: scripts and agents depend on them. */
export const exit = {
  done: 0,
  /** Refused or failed; nothing was changed. */
  refused: 1,
  usage: 2,
  /** A person must decide, and none could be asked. */
  waiting: 3,
  /** The run reached a limit that was set. */
  paused: 4,
  /** The machine is not ready; `cox doctor` says what to do. */
  notReady: 5,
  /** Another process holds the lock. */
  locked: 6,
  /** Our bug. */
  bug: 70,
  /** The disk failed. */
  disk: 74,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];
