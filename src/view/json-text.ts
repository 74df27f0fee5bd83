/**
 * Data as the JSON that is printed or kept: what an agent said is in it word for word, and yet nothing in it can act on
 * a terminal. JSON itself escapes some of what can (C0); here the rest is escaped too, which no parser can tell.
 */
import { dangerous } from "../std/unicode.ts";

export function jsonText(value: unknown, indent = 0): string {
  // Outside its strings JSON has no such character but the line ends that the indentation makes.
  const text = JSON.stringify(value, undefined, indent);
  return `${text.replace(dangerous, (character) => (character === "\n" ? character : escaped(character)))}\n`;
}

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
