/**
 * Rows with aligned cells, whatever they contain: widths are terminal columns, and if the rows are too wide, the widest
 * columns are narrowed first. The last cell of a row is not padded.
 */
import type { StyledLine, StyledText } from "./line.ts";
import { cutMiddle, padTo, widthOf } from "./width.ts";

export type Row = readonly StyledText[];

const gap = "  ";
/** No column is made narrower than this: names would become meaningless. */
const narrowest = 8;

/** Cells must not contain control characters (`oneLine`). */
export function tableLines(rows: readonly Row[], columns: number): StyledLine[] {
  const widths = columnWidths(rows, columns);
  return rows.map(withoutEmptyEnd).map((row) =>
    row.flatMap((cell, at): StyledText[] => {
      const [style, text] = typeof cell === "string" ? [undefined, cell] : cell;
      const cut = cutMiddle(text, widths[at] ?? 0);
      const shown = at === row.length - 1 ? cut : padTo(cut, widths[at] ?? 0);
      const piece: StyledText = style === undefined ? shown : [style, shown];
      return at === 0 ? [piece] : [gap, piece];
    }),
  );
}

function withoutEmptyEnd(row: Row): Row {
  return row.slice(0, row.findLastIndex((cell) => textOf(cell) !== "") + 1);
}

function columnWidths(rows: readonly Row[], columns: number): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => widthOf(textOf(row[at] ?? "")))),
  );
  let over = widths.reduce((sum, width) => sum + width, 0) + gap.length * (count - 1) - columns;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

function textOf(cell: StyledText): string {
  return typeof cell === "string" ? cell : cell[1];
}
