/** What the journal's files are called in the folder of a run. */
export const fileNames = {
  log: "events.jsonl",
  /** Its second witness. */
  head: "head",
  /** Held by the run's one writer. */
  lock: "lock",
  snapshot: "snapshot.json",
} as const;
