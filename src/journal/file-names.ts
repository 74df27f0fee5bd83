/** The names of the journal's files in a run's folder. */
export const fileNames = {
  log: "events.jsonl",
  /** Records how far the log reached. */
  head: "head",
  /** Held by the run's one writer. */
  lock: "lock",
  snapshot: "snapshot.json",
} as const;
