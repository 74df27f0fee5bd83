/** The port to a file that grows one line at a time, and such files in Node. It promises nothing about crashes. */
import { closeSync, openSync, writeSync } from "node:fs";

export interface LineFiles {
  /** Truncates an existing file. Throws an `Error` whose `code` is the errno name. */
  open(path: string): LineFile;
}

export interface LineFile {
  add(line: string): void;
  close(): void;
}

export const nodeLineFiles: LineFiles = {
  open(path) {
    // What is said to a model is private to the user.
    const descriptor = openSync(path, "w", 0o600);
    return {
      add: (line) => {
        writeSync(descriptor, `${line}\n`);
      },
      close: () => closeSync(descriptor),
    };
  },
};
