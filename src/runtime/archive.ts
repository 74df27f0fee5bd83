/** The port to what a run keeps beside its log: prompts, replies, evidence, outputs. What is kept is durable. */
export interface Archive {
  /** `name` is a path below the run's folder. Replaces what was there. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** Nothing when it is not there. */
  find(name: string): Promise<Uint8Array | undefined>;
}
