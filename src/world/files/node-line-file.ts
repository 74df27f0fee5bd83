/** Files that only grow, using Node's own calls. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { LineFiles } from "./line-file.ts";

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
