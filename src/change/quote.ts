/** Text of unknown origin as it may stand in a message: escaped so that nothing in it acts, and cut to a length. */
import { bidi, control, invisible, loneSurrogate } from "./unicode.ts";

/** In double quotes, with JSON's escapes: what a model can copy into its next reply. */
export function quote(text: string, charactersMax = 80): string {
  const cut = shorten(text, charactersMax);
  const body = printable(JSON.stringify(cut.text).slice(1, -1), Number.POSITIVE_INFINITY);
  return cut.left > 0 ? `"${body}" … (${cut.left} more)` : `"${body}"`;
}

/** The same without quotes, for what is readable as it stands, such as a path. */
export function printable(text: string, charactersMax = 200): string {
  const cut = shorten(text, charactersMax);
  return cut.text.replace(dangerous, escapeCharacter) + (cut.left > 0 ? `… (${cut.left} more)` : "");
}

const dangerous = new RegExp(
  [control, bidi, invisible, loneSurrogate].map((each) => each.source).join("|"),
  "gu",
);

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function shorten(text: string, charactersMax: number): { text: string; left: number } {
  if (text.length <= charactersMax) return { text, left: 0 };
  return { text: text.slice(0, charactersMax), left: text.length - charactersMax };
}
