/**
 * Makes words of others safe to show: nothing that a model wrote, a file holds or a path spells can move the
 * cursor, clear the screen, reach the clipboard, reverse the reading order or pass for a line of ours.
 *
 * Dangerous characters are written out (`\x1b`, `\u{202e}`), never removed: what tries to hide is shown.
 */

/** Any text as one line: a line break is shown as `\n`, and what is over the limit is cut and counted. */
export function oneLine(text: string, limit = 200): string {
  const { kept, cut } = cutAt(text, limit);
  return writtenOut(kept) + (cut > 0 ? ` … (${counted(cut, "more character")})` : "");
}

export interface LineLimits {
  readonly lines: number;
  readonly width: number;
}

/** Any text as lines of its own, bounded both ways; the last one says how many were left out. */
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

/** One line of a text that keeps its tabs, as code is shown. The carriage return of a CRLF ending is left out. */
export function printableLine(line: string, width: number): string {
  const { kept, cut } = cutAt(line.endsWith("\r") ? line.slice(0, -1) : line, width);
  return writtenOut(kept, "\t") + (cut > 0 ? ` … (${counted(cut, "more character")})` : "");
}

/**
 * Controls, formats (bidi and zero-width characters are among them), lone surrogates, line and paragraph
 * separators, and whatever else Unicode tells programs not to draw. A variation selector behind an emoji is harmless.
 */
const dangerous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const harmless = new Set(["\ufe0e", "\ufe0f"]);
const wellKnown = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
]);

function writtenOut(text: string, except?: string): string {
  return text.replace(dangerous, (character) => {
    if (character === except || harmless.has(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return wellKnown.get(character) ?? (code <= 0xff ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`);
  });
}

/** Cuts before writing out, so that a line of a megabyte costs no more than one of the limit. */
function cutAt(text: string, limit: number): { kept: string; cut: number } {
  if (text.length <= limit) return { kept: text, cut: 0 };
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  const end = splitsPair ? limit - 1 : limit;
  return { kept: text.slice(0, end), cut: text.length - end };
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

/** "1 file", "1,204 files": a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "1,204". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
