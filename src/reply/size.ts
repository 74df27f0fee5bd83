/** How large one file's content may be, in bytes of UTF-8. */
import type { Problem } from "../std/problem.ts";
import { nameOf } from "./issue.ts";

export function contentSizeProblem(item: object, index: number): Problem | undefined {
  const content = (item as { content?: unknown }).content;
  if (typeof content !== "string") return undefined;
  const at = { index, field: "content" };
  const name = nameOf({ index }, "content");
  if (exceeds(content, FILE_BYTES_MAX)) {
    return {
      code: "LIMIT_FILE",
      message: `${name} has more than 10,000,000 bytes, the limit for one file`,
      hint: "Make large files with a program of the repository, not with a reply.",
      ...at,
    };
  }
  if (exceeds(content, FILE_BYTES_LARGE)) {
    return {
      code: "LIMIT_FILE_LARGE",
      message: `${name} has more than 1,000,000 bytes, which is unusual for a file somebody wrote`,
      hint: "Check that this file belongs into the repository.",
      ...at,
    };
  }
  return undefined;
}

const FILE_BYTES_MAX = 10_000_000;
const FILE_BYTES_LARGE = 1_000_000;

/** A UTF-16 unit makes one to three bytes, so most texts need no counting. */
function exceeds(text: string, bytesMax: number): boolean {
  if (text.length > bytesMax) return true;
  if (text.length * 3 <= bytesMax) return false;
  return utf8LengthUpTo(text, bytesMax) > bytesMax;
}

const encoder = new TextEncoder();
/** Counting through a buffer that stays in the cache is ten times as fast as encoding the whole. */
const scratch = new Uint8Array(65_536);

function utf8LengthUpTo(text: string, enough: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= enough; ) {
    // A pair cut in two at the end of a full slice is left for the next one: three bytes more do not fit.
    const { read, written } = encoder.encodeInto(text.slice(at, at + scratch.length), scratch);
    at += read;
    bytes += written;
  }
  return bytes;
}
