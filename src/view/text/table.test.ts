import fc from "fast-check";
import { expect, test } from "vitest";
import { lineText } from "./line.ts";
import { noPaint } from "./paint.ts";
import { tableLines } from "./table.ts";
import { widthOf } from "./width.ts";

const shown = (rows: readonly (readonly string[])[], columns: number) =>
  tableLines(rows, columns).map((line) => lineText(line, { columns, paint: noPaint, ascii: false }));

test("table columns are aligned in any script, and long names are cut so that they still differ", () => {
  const rows = [
    ["add-the-rate-limiter-part-one", "backend", "npm test"],
    ["add-the-rate-limiter-part-two", "限流器", "npm test"],
    ["docs", "writer", ""],
  ];
  expect(shown(rows, 40)).toEqual([
    "add-the-ra…r-part-one  backend  npm test",
    "add-the-ra…r-part-two  限流器   npm test",
    "docs                   writer",
  ]);
});

const anyCell = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/\s|\p{C}/gu, "x"));

test("no table row is wider than the terminal, and each column begins at one place, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyCell, anyCell, anyCell), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 30, max: 120 }),
      (rows, columns) => {
        const lines = tableLines(rows, columns);
        for (const line of shown(rows, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        for (const piece of [0, 2]) {
          const widths = lines.map((line) => widthOf(String(line[piece])));
          expect(new Set(widths).size).toBe(1);
        }
      },
    ),
  );
});
