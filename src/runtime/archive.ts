/** The port to what a run keeps beside its log: prompts, replies, evidence, outputs. What is kept is durable. */
export interface Archive {
  /** `name` is a path below the run's folder. Replaces what was there. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** Nothing when it is not there. */
  find(name: string): Promise<Uint8Array | undefined>;
  /** A new file that grows line by line, in place of what was there. `gap` makes the line for what had to be left out. */
  lines(name: string, gap: (words: string) => string): KeptLines;
}

/** Each line is in the file at once, so that the end of our process loses none. A power cut may: nothing depends on them. */
export interface KeptLines {
  /** Never fails: a transcript that cannot be written is no reason to end a turn. */
  add(line: string): void;
  /** Nothing more will come. */
  end(): void;
}
