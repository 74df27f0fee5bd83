/**
 * Finds where a file almost contains a text, and explains why it does not match, so the model can get it right in its
 * next reply.
 *
 * It first undoes the mistakes that models really make, one at a time, and searches again. If none of them explains the
 * mismatch, it names the place with the most lines in common. Everything is linear in the file except the comparison of
 * single lines, which is bounded.
 */
import { distance } from "fastest-levenshtein";
import { lineAt } from "../../std/place.ts";
import { quote } from "../../std/printable.ts";

export interface Nearest {
  /** Follows "… is not in the file; ". */
  readonly message: string;
  readonly hint: string;
}

export function nearest(wanted: string, text: string, replacedBy?: string): Nearest {
  const place = explained(wanted, text) ?? similar(wanted, text);
  if (replacedBy && replacedBy.length > 3 && text.includes(replacedBy)) {
    const line = lineAt(text, text.indexOf(replacedBy));
    return {
      message: `the replacement is there already, at line ${line}: the edit may have been made before`,
      hint: "If so, leave this edit out; else copy the text to replace from the file as it is now.",
    };
  }
  if (!place) {
    return {
      message: "nothing in it is similar",
      hint: "Read the file again and copy the text to replace from it, character by character.",
    };
  }
  const lines = text.split("\n");
  const shown = lines.slice(place.line - 1, place.line - 1 + Math.min(place.lines, linesShown)).join("\n");
  return {
    message: `nearest is line ${place.line}, where ${place.reason}`,
    hint: `Copy the text from the file, which has there: ${quote(shown, 300)}.`,
  };
}

interface Place {
  /** From 1. */
  readonly line: number;
  readonly lines: number;
  readonly reason: string;
}

const linesShown = 5;

function explained(wanted: string, text: string): Place | undefined {
  for (const { reason, undo, normal, each } of explanations) {
    const needle = normal(undo?.(wanted) ?? wanted);
    if (needle === "" || !normal(text).includes(needle)) continue;
    // Only now do we need to map from the normal form back to a place in the file.
    const { text: haystack, at } = mapEach(text, each);
    const start = haystack.indexOf(needle);
    if (start < 0) continue;
    const from = lineAt(text, at(start));
    const to = lineAt(text, at(start + needle.length - 1));
    return { line: from, lines: to - from + 1, reason };
  }
  return undefined;
}

interface Explanation {
  readonly reason: string;
  /** Reverts what a model did to the text it wants. */
  undo?(wanted: string): string;
  /** Normalises text so that the difference disappears. */
  normal(text: string): string;
  /** The same for one character of the file; "" drops it. */
  each(character: string): string;
}

const same = (text: string) => text;
const withoutCr = (text: string) => text.replaceAll("\r", "");
const withoutSpace = (text: string) => text.replace(/[\s\u200b]+/g, "");
const plain = (text: string) => withoutSpace(text.replace(/[‘’‚‛′“”„‟″‐‑‒–—―−]/g, straightened));
const plainLower = (text: string) => plain(text).toLowerCase();

const explanations: readonly Explanation[] = [
  { reason: "only the line ends differ (CRLF against LF)", normal: withoutCr, each: withoutCr },
  {
    reason: "the text is the same without the line numbers that old_string carries",
    undo: (wanted) => wanted.replace(/^[ \t]*\d+(?:\t|→|\|[ ]?|:[ ]?)/gm, ""),
    normal: same,
    each: same,
  },
  {
    reason: 'the text has line ends or quotes where old_string has a backslash (\\n, \\t, \\")',
    undo: (wanted) => wanted.replace(/\\([nt"'\\])/g, (_, letter) => unescaped[letter] ?? letter),
    normal: same,
    each: same,
  },
  {
    reason: "whitespace differs (indentation, tabs against spaces, or line breaks)",
    normal: withoutSpace,
    each: withoutSpace,
  },
  {
    reason: "quotes, dashes or spaces are other characters (curly against straight)",
    normal: plain,
    each: plain,
  },
  { reason: "upper and lower case differ", normal: plainLower, each: plainLower },
];

const unescaped: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

function straightened(character: string): string {
  if ("‘’‚‛′".includes(character)) return "'";
  return "“”„‟″".includes(character) ? '"' : "-";
}

/** Maps each UTF-16 unit of the text to one or none, and maps positions in the result back. */
function mapEach(
  text: string,
  each: (character: string) => string,
): { text: string; at(position: number): number } {
  const kept: number[] = [];
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const mapped = each(text.charAt(at)).charAt(0);
    if (mapped === "") continue;
    kept.push(at);
    parts.push(mapped);
  }
  return { text: parts.join(""), at: (position) => kept[position] ?? 0 };
}

/** The place with the most lines in common, ignoring indentation; otherwise the most similar single line. */
function similar(wanted: string, text: string): Place | undefined {
  const wantedLines = wanted.split("\n").map((line) => line.trim());
  const lines = text.split("\n").map((line) => line.trim());
  return mostInCommon(wantedLines, lines) ?? closestLine(wantedLines, lines);
}

function mostInCommon(wanted: readonly string[], lines: readonly string[]): Place | undefined {
  const where = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const places = where.get(line);
    if (places) places.push(at);
    else where.set(line, [at]);
  }
  // A line that occurs in many places (a closing brace) does not show which of them is meant.
  const placesMax = 20;
  const votes = new Map<number, number>();
  for (const [at, line] of wanted.entries()) {
    const places = line.length < 2 ? [] : (where.get(line) ?? []);
    if (places.length > placesMax) continue;
    for (const place of places) votes.set(place - at, (votes.get(place - at) ?? 0) + 1);
  }
  const [best] = [...votes].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  if (!best || wanted.length < 2) return undefined;
  const [start, common] = best;
  const differs = wanted.findIndex((line, at) => lines[start + at] !== line);
  const line = Math.max(start, 0) + 1;
  const first = start + differs;
  const there =
    first < 0 || first >= lines.length ? "the file has no such line" : `it is ${quote(lines[first] ?? "")}`;
  const reason = `${common} of ${wanted.length} lines are the same; the first that is not is ${quote(wanted[differs] ?? "")}, in the file ${there}`;
  return { line, lines: wanted.length, reason };
}

/** Comparing two lines costs the product of their lengths, so both their number and their length are limited. */
const comparisonsMax = 20_000;
const lengthMax = 200;

function closestLine(wanted: readonly string[], lines: readonly string[]): Place | undefined {
  const longest = wanted
    .reduce((one, other) => (other.length > one.length ? other : one), "")
    .slice(0, lengthMax);
  if (longest.length < 4) return undefined;
  let best: { at: number; difference: number } | undefined;
  let comparisons = 0;
  for (const [at, line] of lines.entries()) {
    if (Math.abs(line.length - longest.length) > longest.length / 2) continue;
    if (++comparisons > comparisonsMax) break;
    const difference = distance(longest, line.slice(0, lengthMax));
    if (!best || difference < best.difference) best = { at, difference };
  }
  if (!best || best.difference > longest.length * 0.4) return undefined;
  const reason = `the text is ${quote(lines[best.at] ?? "")}, not ${quote(longest)}`;
  return { line: best.at + 1, lines: wanted.length, reason };
}
