/** The port to a turn's scratch folder, beside its desk. What an agent leaves there is never trusted, only reported. */
export interface Scratch {
  /** Creates an empty folder for a new turn; anything an earlier turn left is removed. */
  open(path: string): Promise<void>;
  /** Commands that only a person may run, noted when they were refused inside the turn. */
  refusals(path: string): readonly string[];
  /** What was handed in through the tools of the turn, as lines. */
  handedIn(path: string): string;
  /** Adds a line to it for the agent. If the agent made the file unusable, the line is lost. */
  handIn(path: string, line: string): void;
  /** Removes the folder and everything in it. */
  close(path: string): Promise<void>;
}

/** The file in which `cox` notes what it refused, one JSON object per line. */
export const refusalsName = "cox-refused.jsonl";

/** The file in which the turn server stores what was handed in. */
export const handedInName = "cox-reply.jsonl";
/** Room for several whole replies, each with its own limit. The server accepts no more than is read back. */
export const handedInBytesMax = 64 * 1024 * 1024;
