/** Scratch folders on disk. Of the refusals noted in one, no more are read than a person would read. */
import { dirname } from "node:path";
import { oneLine } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Files } from "../../world/files/files.ts";
import { handedInBytesMax, handedInName, refusalsName, type Scratch } from "./scratch.ts";
import { addToScratchFile, readScratchFile } from "./scratch-file.ts";

const notesBytesMax = 64 * 1024;
const notesMax = 20;

export interface ScratchParts {
  readonly files: Files;
  /** Removes a folder and everything in it; it may be missing. */
  remove(path: string): Promise<void>;
}

export function deskScratch({ files, remove }: ScratchParts): Scratch {
  return {
    async open(path) {
      await remove(path);
      const above = files.openRoot(dirname(path));
      try {
        files.makeFolder(above, path.slice(dirname(path).length + 1));
      } finally {
        files.close(above);
      }
    },
    refusals(path) {
      return readScratchFile(files, { folder: path, name: refusalsName }, notesBytesMax)
        .split("\n")
        .flatMap((line) => commandIn(line) ?? [])
        .slice(0, notesMax);
    },
    handedIn: (path) => readScratchFile(files, { folder: path, name: handedInName }, handedInBytesMax),
    handIn(path, line) {
      try {
        addToScratchFile(files, { folder: path, name: handedInName }, encodeUtf8(line));
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
      }
    },
    close: remove,
  };
}

function commandIn(line: string): string | undefined {
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === "string" ? oneLine(command, 200) : undefined;
  } catch {
    // An incomplete line, or text from the agent.
    return undefined;
  }
}
