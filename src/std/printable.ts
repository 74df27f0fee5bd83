/**
 * Makes foreign words safe to show: nothing that comes from a model, a file or a path can move the cursor, clear the
 * screen, reach the clipboard, reverse the reading order or pass for a line of ours.
 *
 * Dangerous characters are escaped as in JSON (`\n`, `\u001b`), never removed: what tries to hide is shown, and a model
 * can copy it.
 */
import { counted } from "./counted.ts";
import { cutAt } from "./cut.ts";
import { dangerous } from "./unicode.ts";

/** Any text as one line: a line break is shown as `\n`, and text beyond the limit is cut and counted. */
export function oneLine(text: string, limit = 200): string {
  // Cut before escaping, so that a line of a megabyte costs no more than one of the limit.
  const { kept, cut } = cutAt(text, limit);
  return writtenOut(kept) + moreCharacters(cut);
}

/** The first line of a text whose rest is shown elsewhere, with the number of remaining lines. */
export function firstLine(text: string, limit = 200): string {
  const trimmed = text.trim();
  const end = endOfLine(trimmed, 0);
  const left = countLines(trimmed, end + 1);
  return (
    oneLine(trimmed.slice(0, end).trimEnd(), limit) + (left > 0 ? ` … (${counted(left, "more line")})` : "")
  );
}

/**
 * Any text as one line in double quotes, with all of JSON's escapes, so that a model can copy it into its next reply.
 */
export function quote(text: string, limit = 80): string {
  const { kept, cut } = cutAt(text, limit);
  return writtenOut(JSON.stringify(kept)) + moreCharacters(cut);
}

export interface LineLimits {
  readonly lines: number;
  readonly width: number;
}

/** Any text as separate lines, limited in number and width; the last one says how many were left out. */
export function printableLines(text: string, { lines, width }: LineLimits): string[] {
  const shown: string[] = [];
  let from = 0;
  while (shown.length < lines && from < text.length) {
    const end = endOfLine(text, from);
    shown.push(printableLine(text.slice(from, end), width));
    from = end + 1;
  }
  const left = countLines(text, from);
  if (left > 0) shown.push(`… ${counted(left, "more line")}`);
  return shown;
}

/** One line of a text that keeps its tabs, as code is shown. The carriage return of a CRLF ending is dropped. */
export function printableLine(line: string, width: number): string {
  const { kept, cut } = cutAt(line.endsWith("\r") ? line.slice(0, -1) : line, width);
  return writtenOut(kept, "\t") + moreCharacters(cut);
}

function writtenOut(text: string, except?: string): string {
  return text.replace(dangerous, (character) => (character === except ? character : jsonEscape(character)));
}

/** JSON leaves most of these characters raw. A character beyond U+FFFF is two units there, and two escapes. */
function jsonEscape(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

function moreCharacters(cut: number): string {
  return cut > 0 ? ` … (${counted(cut, "more character")})` : "";
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}

function countLines(text: string, from: number): number {
  let lines = 0;
  for (let at = from; at < text.length; at = endOfLine(text, at) + 1) lines++;
  return lines;
}

/** Foreign words, with a full stop added if they end without one, so that a sentence of ours can follow. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.!?…]["')\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
