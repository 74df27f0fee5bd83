/**
 * Data as JSON for printing or storing: it keeps an agent's text word for word, yet nothing in it can act on a terminal.
 * JSON escapes some dangerous characters itself (C0); here the rest are escaped too, which makes no difference to a
 * parser.
 */
import { dangerous } from "../../std/unicode.ts";

export function jsonText(value: unknown, indent = 0): string {
  // Outside its strings, JSON has no such characters except the line ends from indentation.
  const text = JSON.stringify(value, undefined, indent);
  return `${text.replace(dangerous, (character) => (character === "\n" ? character : escaped(character)))}\n`;
}

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
