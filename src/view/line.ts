/**
 * One line on a terminal: pieces with their paint, cut to the columns before they are painted, so that no line is
 * ever wider than the terminal, whatever stands in it.
 */
import { oneLine } from "../std/printable.ts";
import type { Paint, Style } from "./paint.ts";
import { cutTo, widthOf } from "./width.ts";

export type Line = readonly Piece[];
export type Piece = string | readonly [Style, string];

/** Where a text is shown. */
export interface Look {
  readonly columns: number;
  readonly paint: Paint;
  /** The terminal can show nothing else. */
  readonly ascii: boolean;
}

export function lineText(line: Line, { columns, paint, ascii }: Look): string {
  let left = columns;
  let text = "";
  const last = line.length - 1;
  line.forEach((piece, at) => {
    const [style, words] = typeof piece === "string" ? [undefined, piece] : piece;
    const shown = ascii ? asAscii(words) : words;
    const cut = cutTo(at === last ? shown.trimEnd() : shown, left);
    // `cutTo` marks a cut by a sign that is not ASCII; the dots of the line that goes on are worth one.
    const fitting = ascii ? cut.replace(/…$/, ".") : cut;
    left -= widthOf(fitting);
    text += style === undefined || fitting === "" ? fitting : paint(style, fitting);
  });
  return text;
}

/** A command is never cut: it is there to be copied. */
export function commandText(command: string, { paint, ascii }: Look): string {
  const shown = oneLine(command, 400);
  return paint("cyan", ascii ? asAscii(shown) : shown);
}

/** Our own signs each have a stand-in of the same width; everybody else's characters become `?`. */
export function asAscii(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => standIns.get(character) ?? "?".repeat(widthOf(character)));
}

const standIns: ReadonlyMap<string, string> = new Map([
  ["▶", ">"],
  ["✓", "+"],
  ["✗", "x"],
  ["·", "-"],
  ["…", "."],
  ["–", "-"],
  ["−", "-"],
  ["→", ">"],
  ["↩", "<"],
  ["█", "#"],
  ["▒", "="],
  ["░", "."],
  ["─", "-"],
  ["“", '"'],
  ["”", '"'],
]);
