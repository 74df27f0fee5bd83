/**
 * Warns about content that is allowed but should be seen: text that looks different to a reader than to a compiler,
 * leftover merge markers, and very large files. Only what the change adds is reported.
 */
import { lineAt } from "../std/place.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import { bidi, codePointName, invisible } from "../std/unicode.ts";
import { decodeUtf8 } from "../std/utf8.ts";

export function contentWarnings(before: Uint8Array | undefined, after: Uint8Array): Problem[] {
  const [was, now] = [decodeUtf8(before ?? new Uint8Array()), decodeUtf8(after)];
  const warnings: Problem[] = [];

  const turned = added(was, now, bidiCharacters);
  if (turned) {
    warnings.push({
      code: "CONTENT_BIDI",
      message: `line ${turned.line} holds ${turned.name}, which makes text appear in a different order than it is read`,
      hint: "Remove it, or write it as an escape such as \\u202e; it misleads people who review the code.",
    });
  }
  const hidden = added(was, now, hiddenCharacters);
  if (hidden) {
    warnings.push({
      code: "CONTENT_INVISIBLE",
      message: `line ${hidden.line} holds ${hidden.name}, a character that cannot be seen`,
      hint: "Remove it, or write it as an escape such as \\u200b.",
    });
  }
  const marker = conflictAt(now);
  if (marker !== undefined && conflictAt(was) === undefined) {
    warnings.push({
      code: "CONTENT_CONFLICT_MARKERS",
      message: `the file holds the markers of an unresolved merge, from line ${lineAt(now, marker)} on`,
      hint: "Choose one side and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
    });
  }
  if (after.length > largeBytes && (before?.length ?? 0) <= largeBytes) {
    warnings.push({
      code: "CONTENT_LARGE",
      message: `the file has ${size(after.length)}`,
      hint: "Check that a file of this size belongs in the repository.",
    });
  }
  return warnings;
}

const largeBytes = 1_000_000;

/** The first such character in `now`, if there are more of them than in `was`. */
function added(
  was: string,
  now: string,
  find: (text: string) => Iterable<number>,
): { line: number; name: string } | undefined {
  const found = count(find(now));
  if (found.first === undefined || found.number <= count(find(was)).number) return undefined;
  return { line: lineAt(now, found.first), name: codePointName(now.slice(found.first, found.first + 2)) };
}

function count(places: Iterable<number>): { number: number; first?: number } {
  let number = 0;
  let first: number | undefined;
  for (const place of places) {
    number++;
    first ??= place;
  }
  return first === undefined ? { number } : { number, first };
}

function* bidiCharacters(text: string): Generator<number> {
  for (const { index } of text.matchAll(everyBidi)) yield index;
}

const everyBidi = new RegExp(bidi.source, "gu");
const everyInvisible = new RegExp(invisible.source, "gu");

function* hiddenCharacters(text: string): Generator<number> {
  for (const { 0: character, index } of text.matchAll(everyInvisible)) {
    if (!bidi.test(character) && !isOrdinary(text, index, character)) yield index;
  }
}

/**
 * Where ordinary writing needs it: the byte order mark at the file's start, joiners in scripts that use them, parts of
 * an emoji.
 */
function isOrdinary(text: string, at: number, character: string): boolean {
  if (character === "\ufeff") return at === 0;
  const before = characterBefore(text, at);
  if (/[\ufe0e\ufe0f]/.test(character)) return /[\p{Extended_Pictographic}#*0-9]/u.test(before);
  if (/[\u200c\u200d]/.test(character))
    return /[\p{Extended_Pictographic}\p{M}]|(?![\0-\u024f])\p{L}/u.test(before);
  if (/[\u{e0100}-\u{e01ef}\ufe00-\ufe0d]/u.test(character)) return /[\p{Ideographic}\p{Sm}]/u.test(before);
  // The flags of England, Scotland and Wales are a black flag followed by tags.
  if (/[\u{e0020}-\u{e007f}]/u.test(character)) return isInFlag(text.slice(Math.max(0, at - 16), at));
  return false;
}

function isInFlag(before: string): boolean {
  return /\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6}$/u.test(before);
}

function characterBefore(text: string, at: number): string {
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair > 0xffff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

/** All three markers, in order, each at the start of a line. */
function conflictAt(text: string): number | undefined {
  const start = lineStart(text, "<<<<<<< ", 0);
  const middle = start < 0 ? -1 : lineStart(text, "=======", start);
  const end = middle < 0 ? -1 : lineStart(text, ">>>>>>> ", middle);
  return end < 0 ? undefined : start;
}

function lineStart(text: string, prefix: string, from: number): number {
  if (from === 0 && text.startsWith(prefix)) return 0;
  const at = text.indexOf(`\n${prefix}`, from);
  return at < 0 ? -1 : at + 1;
}
