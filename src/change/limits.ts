/** Limits on how much one reply may write, and how much searching it may cause. */
import { counted, grouped } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";

/**
 * Limit for a file, before and after. What a coding model writes is far smaller; anything larger is a mistake or an
 * attack.
 */
export const fileBytesMax = 10_000_000;

/** Limit for all states of all files that a reply passes through: they are all in memory, and each is hashed. */
export const totalBytesMax = 256 * 1024 * 1024;

/** Bytes of file times number of edits: about ten seconds of searching on a slow machine. */
export const searchedBytesMax = 4 * 1024 * 1024 * 1024;

export function tooLarge(size: number): Problem {
  return {
    code: "LIMIT_FILE",
    message: `the file would have ${counted(size, "byte")}, the limit is ${grouped(fileBytesMax)}`,
    hint: "Split it into smaller files, or make it by a program instead of by hand.",
  };
}

export function tooMuchInTotal(): Problem {
  return {
    code: "LIMIT_TOTAL",
    message: `the files that this reply writes are larger than ${counted(totalBytesMax, "byte")} together; the rest was not checked`,
    hint: "Split the reply into several, and give one operation for each file.",
  };
}

export function tooMuchSearching(searchedBytes: number): Problem {
  return {
    code: "LIMIT_SEARCH",
    message: `the edits of this reply would search ${counted(searchedBytes, "byte")}, the limit is ${grouped(searchedBytesMax)}`,
    hint: "Give the whole new `content` instead of so many edits to so large a file.",
  };
}
