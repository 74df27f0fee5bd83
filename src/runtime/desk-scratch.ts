/** Scratch folders on disk. The notes are read without following links, and no more of them than a person would read. */
import { dirname } from "node:path";
import { oneLine } from "../std/printable.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { Files } from "../world/files.ts";
import { refusalsName, type Scratch } from "./scratch.ts";

const bytesMax = 64 * 1024;
const notesMax = 20;

export interface ScratchParts {
  readonly files: Files;
  /** A folder with everything in it; what is not there is fine. */
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
      const text = readNotes(files, path);
      return text
        .split("\n")
        .flatMap((line) => commandIn(line) ?? [])
        .slice(0, notesMax);
    },
    close: remove,
  };
}

/** Whatever an agent made of the file, there is nothing to fail for: then there are no notes. */
function readNotes(files: Files, path: string): string {
  try {
    const folder = files.openRoot(path);
    try {
      if (files.stat(folder, refusalsName)?.kind !== "file") return "";
      const file = files.open(folder, refusalsName, "read");
      try {
        return decodeUtf8(files.read(file, 0, bytesMax));
      } finally {
        files.close(file);
      }
    } finally {
      files.close(folder);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}

function commandIn(line: string): string | undefined {
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === "string" ? oneLine(command, 200) : undefined;
  } catch {
    // Half a line, or an agent's own words.
    return undefined;
  }
}
