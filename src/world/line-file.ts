/** The port to a file that only grows, by one line at a time; nothing is promised about a crash. */
export interface LineFiles {
  /** Empties what is there. Throws an `Error` whose `code` is the errno name. */
  open(path: string): LineFile;
}

export interface LineFile {
  add(line: string): void;
  close(): void;
}
