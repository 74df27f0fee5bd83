/**
 * One line on a terminal: styled pieces, cut to the available columns before they are painted, so that no line is ever
 * wider than the terminal, whatever it contains.
 */
import { oneLine } from "../../std/printable.ts";
import type { Paint, Style } from "./paint.ts";
import { cutTo, widthOf } from "./width.ts";

export type StyledLine = readonly StyledText[];
export type StyledText = string | readonly [Style, string];

/** Where a text is shown. */
export interface Display {
  readonly columns: number;
  readonly paint: Paint;
  /** The terminal can only show ASCII. */
  readonly ascii: boolean;
}

export function lineText(line: StyledLine, { columns, paint, ascii }: Display): string {
  let left = columns;
  let text = "";
  const last = line.length - 1;
  line.forEach((piece, at) => {
    const [style, words] = typeof piece === "string" ? [undefined, piece] : piece;
    const shown = ascii ? asAscii(words) : words;
    const cut = cutTo(at === last ? shown.trimEnd() : shown, left);
    // `cutTo` marks a cut with a character that is not ASCII; on an ASCII terminal one dot replaces it.
    const fitting = ascii ? cut.replace(/…$/, ".") : cut;
    left -= widthOf(fitting);
    text += style === undefined || fitting === "" ? fitting : paint(style, fitting);
  });
  return text;
}

/** A command is never cut: it is there to be copied. */
export function commandText(command: string, { paint, ascii }: Display): string {
  const shown = oneLine(command, 400);
  return paint("cyan", ascii ? asAscii(shown) : shown);
}

/** Each of our own signs has a stand-in of the same width; any other character becomes `?`. */
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
