/** The port to a turn's scratch folder, which lies beside its desk. What an agent leaves there is never believed, only told. */
export interface Scratch {
  /** Empty, for a turn that begins; whatever an earlier one left is gone. */
  open(path: string): Promise<void>;
  /** Commands that belong to a person and were refused inside the turn, as they were noted. */
  refusals(path: string): readonly string[];
  /** What was handed in through the tools of the turn, as lines. */
  handedIn(path: string): string;
  /** A line more of that, for the agent. One that made the file unusable has lost it. */
  handIn(path: string, line: string): void;
  /** Removed with everything in it. */
  close(path: string): Promise<void>;
}

/** The file in it where `cox` notes what it refused, a JSON object per line. */
export const refusalsName = "cox-refused.jsonl";

/** The file in it where the turn's server keeps what was handed in. */
export const handedInName = "cox-reply.jsonl";
/** Some whole replies, each of which is bounded by itself; the server takes no more than is read. */
export const handedInBytesMax = 64 * 1024 * 1024;
