/** The port to a turn's scratch folder, which lies beside its desk. What an agent leaves there is never believed, only told. */
export interface Scratch {
  /** Empty, for a turn that begins; whatever an earlier one left is gone. */
  open(path: string): Promise<void>;
  /** Commands that belong to a person and were refused inside the turn, as they were noted. */
  refusals(path: string): readonly string[];
  /** Removed with everything in it. */
  close(path: string): Promise<void>;
}

/** The file in it where `cox` notes what it refused, a JSON object per line. */
export const refusalsName = "cox-refused.jsonl";
