/**
 * The port to the files that a run keeps beside its log: prompts, replies, evidence, outputs. They are stored durably.
 */
export interface Archive {
  /** `name` is a path below the run's folder. Replaces an existing file. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. */
  find(name: string): Promise<Uint8Array | undefined>;
  /** Starts a new file of lines, replacing an existing one. `gap` makes the line that stands for omitted lines. */
  lines(name: string, gap: (words: string) => string): KeptLines;
}

/** Each line is written immediately, so the end of our process loses none. A power cut may; nothing depends on them. */
export interface KeptLines {
  /** Never fails: a transcript that cannot be written is no reason to end a turn. */
  add(line: string): void;
  /** Call it after the last line. */
  end(): void;
}
