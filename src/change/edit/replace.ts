/**
 * Applies exact replacements to a file in order, each on the result of the one before.
 *
 * The search works on bytes, so everything outside a match is preserved: a byte order mark, another encoding, a missing
 * final line ending. A match must be unique, counting overlapping ones, unless all matches are wanted. CRLF files
 * follow `line-ends.ts`.
 */
import type { Replacement } from "../../reply/reply.ts";
import { concatBytes } from "../../std/bytes.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { fileBytesMax, tooLarge } from "../limits.ts";
import { find, findApart } from "./find.ts";
import { toCrlf, usesCrlf } from "./line-ends.ts";
import { nearest } from "./nearest.ts";

export type ReplaceResult = { readonly bytes: Uint8Array } | { readonly problem: Problem };

export function replace(bytes: Uint8Array, replacements: readonly Replacement[]): ReplaceResult {
  let current = bytes;
  for (const [at, replacement] of replacements.entries()) {
    const edited = replaceOne(current, replacement, `edits[${at}].old_string`);
    if ("problem" in edited) return edited;
    current = edited.bytes;
  }
  return { bytes: current };
}

function replaceOne(bytes: Uint8Array, replacement: Replacement, field: string): ReplaceResult {
  if (replacement.oldString === "") return { problem: emptyFind(field) };
  const { oldString, newString } = fitLineEnds(replacement, bytes);
  const old = encodeUtf8(oldString);
  const matches = replacement.replaceAll ? [...findApart(old, bytes)] : firstFew(find(old, bytes));

  const [only, second] = matches;
  if (only === undefined) return { problem: notFound(bytes, replacement, field) };
  if (second !== undefined && !replacement.replaceAll) {
    return { problem: ambiguous(bytes, matches, replacement.oldString, field) };
  }
  const by = encodeUtf8(newString);
  // Checked before building the result: a short text found a million times can become terabytes.
  const size = bytes.length + matches.length * (by.length - old.length);
  if (size > fileBytesMax) return { problem: tooLarge(size) };
  return { bytes: splice(bytes, matches, old.length, by) };
}

function fitLineEnds(replacement: Replacement, bytes: Uint8Array): { oldString: string; newString: string } {
  const { oldString, newString } = replacement;
  const speaksOfLines = oldString.includes("\n") || newString.includes("\n");
  if (!speaksOfLines || oldString.includes("\r\n") || !usesCrlf(bytes)) return { oldString, newString };
  return { oldString: toCrlf(oldString), newString: toCrlf(newString) };
}

function splice(bytes: Uint8Array, starts: readonly number[], length: number, by: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (const start of starts) {
    parts.push(bytes.subarray(kept, start), by);
    kept = start + length;
  }
  parts.push(bytes.subarray(kept));
  return concatBytes(parts);
}

function emptyFind(field: string): Problem {
  return {
    code: "OPS_EMPTY_FIND",
    message: `${field} is empty, which would match everywhere`,
    hint: "Give the text to be replaced, or use `append` or a whole new `content`.",
    field,
  };
}

function notFound(bytes: Uint8Array, { oldString, newString }: Replacement, field: string): Problem {
  const text = decodeUtf8(bytes);
  const place = nearest(oldString, text, newString);
  const message = `${field} ${quote(oldString, 60)} is not in the file`;
  return { code: "OPS_FIND_NOT_FOUND", message: `${message}; ${place.message}`, hint: place.hint, field };
}

function ambiguous(bytes: Uint8Array, matches: readonly number[], oldString: string, field: string): Problem {
  const lines = lineNumbers(bytes, matches.slice(0, matchesShown));
  const more = matches.length > matchesShown ? " and more" : "";
  const where =
    new Set(lines).size === 1 ? `more than once in line ${lines[0]}` : `in lines ${lines.join(", ")}`;
  return {
    code: "OPS_FIND_AMBIGUOUS",
    message: `${field} ${quote(oldString, 60)} is in the file more than once: ${where}${more}`,
    hint: "Add lines around it until it matches once, or set `replace_all` to true to change each of them.",
    field,
  };
}

/** Line numbers, from 1, for ascending offsets. */
function lineNumbers(bytes: Uint8Array, offsets: readonly number[]): number[] {
  let line = 1;
  let end = bytes.indexOf(0x0a);
  return offsets.map((offset) => {
    while (end >= 0 && end < offset) {
      line++;
      end = bytes.indexOf(0x0a, end + 1);
    }
    return line;
  });
}

const matchesShown = 10;

/** One more than is shown: enough to say that there are more, without searching to the end. */
function firstFew(matches: Iterable<number>): number[] {
  const few: number[] = [];
  for (const match of matches) {
    few.push(match);
    if (few.length > matchesShown) break;
  }
  return few;
}
