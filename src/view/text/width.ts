/**
 * How many terminal columns a text fills; and texts cut or padded to a number of columns.
 *
 * Counted in what a reader sees as one character: East Asian letters and emoji fill two columns, a combining accent none.
 * Texts must have no control characters (`oneLine`) and no paint.
 */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** At most that wide; a cut is marked with `…`. */
export function cutTo(text: string, width: number): string {
  if (text.length <= width && isAscii(text)) return text;
  if (width <= 0) return "";
  let end = 0;
  let filled = 0;
  let endWithMark = 0;
  // No text is wider than its graphemes are many twice over, so a long one is not walked to its end.
  for (const { segment, index } of graphemes().segment(text.slice(0, width * unitsOfGraphemeMax))) {
    filled += graphemeWidth(segment);
    if (filled > width) return `${text.slice(0, endWithMark)}…`;
    end = index + segment.length;
    if (filled < width) endWithMark = end;
  }
  return end === text.length ? text : `${text.slice(0, endWithMark)}…`;
}

/** The same, but cut in the middle, so that names that differ at the end still do. */
export function cutMiddle(text: string, width: number): string {
  if (width < 5 || widthOf(text) <= width) return cutTo(text, width);
  const segments = [...graphemes().segment(text)].map(({ segment }) => segment);
  const tail = takeWithin(segments.toReversed(), Math.floor((width - 1) / 2))
    .toReversed()
    .join("");
  const head = takeWithin(segments, width - 1 - widthOf(tail)).join("");
  return `${head}…${tail}`;
}

/** As many segments as fit, from the first on. */
function takeWithin(segments: readonly string[], width: number): string[] {
  let filled = 0;
  const end = segments.findIndex((segment) => {
    filled += graphemeWidth(segment);
    return filled > width;
  });
  return segments.slice(0, end < 0 ? segments.length : end);
}

/** Exactly that wide, for a name in a column. */
export function padName(name: string, width: number): string {
  return padTo(cutMiddle(name, width), width);
}

/** Exactly that wide. */
export function padTo(text: string, width: number): string {
  const cut = cutTo(text, width);
  return cut + " ".repeat(Math.max(0, width - widthOf(cut)));
}

/** Wraps between words, or inside a word wider than a line; text beyond `lines` is cut. */
export function wrapped(text: string, { width, lines }: { width: number; lines: number }): string[] {
  const rows: string[] = [];
  let row = "";
  const words = text.split(" ");
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const longer = row === "" ? word : `${row} ${word}`;
    if (widthOf(longer) <= width || row === "") row = longer;
    else if (rows.length === lines - 1) return [...rows, cutTo([row, ...words.slice(at)].join(" "), width)];
    else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, cutTo(row, width)];
}

let segmenter: Intl.Segmenter | undefined;
/** Created on demand: it costs milliseconds, and most texts are plain ASCII. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}
/** Longer ones exist (stacked accents), but no line needs to show them. */
const unitsOfGraphemeMax = 16;

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

function graphemeWidth(grapheme: string): number {
  if (/^[ -~]$/.test(grapheme)) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme)) return 0;
  return emojiLook.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}

/** A character shown as a picture because of a selector, or two letters that form a flag. */
const emojiLook = /\ufe0f|^\p{Regional_Indicator}{2}/u;

/** What Unicode calls wide or full-width, by block; unassigned code points in them are treated the same. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}])/u;
