/** The beginning of a text that is too long: whole lines, cut at the end of a section if one ends late enough. */
import { utf8Length } from "../../std/utf8.ts";

/** Empty if too little would fit to be useful. */
export function beginningOf(text: string, bytes: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= bytes && utf8Length(text) <= bytes) return { text, isCut: false };
  let end = 0;
  for (let left = bytes; end < text.length; ) {
    const feed = text.indexOf("\n", end);
    const next = feed === -1 ? text.length : feed + 1;
    left -= next - end > left ? left + 1 : utf8Length(text.slice(end, next));
    if (left < 0) break;
    end = next;
  }
  if (end < leastPart) return { text: "", isCut: true };
  const heading = [...text.slice(0, end).matchAll(/^#{1,6} /gm)].at(-1)?.index ?? 0;
  const kept = heading > end * lateEnough ? heading : end;
  return { text: text.slice(0, kept).trimEnd(), isCut: true };
}

/** In characters. */
const leastPart = 500;
const lateEnough = 0.75;
