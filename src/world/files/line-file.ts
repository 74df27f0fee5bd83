/** The port to a file that grows one line at a time. It promises nothing about crashes. */
export interface LineFiles {
  /** Truncates an existing file. Throws an `Error` whose `code` is the errno name. */
  open(path: string): LineFile;
}

export interface LineFile {
  add(line: string): void;
  close(): void;
}
