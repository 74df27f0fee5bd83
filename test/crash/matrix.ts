/** The table of mistakes and layers in `docs/how-we-test.md`. */
import { type LayerName, layers } from "./layers.ts";
import type { Mistake } from "./mistakes.ts";

export const beginMark = "<!-- the matrix, made by: npm run sim -- --write -->";
export const endMark = "<!-- end of the matrix -->";

export interface Row {
  readonly mistake: Mistake;
  readonly caught: readonly LayerName[];
}

export function table(rows: readonly Row[]): string {
  const names = Object.keys(layers) as LayerName[];
  const lines = [
    `| sown mistake | ${names.join(" | ")} |`,
    `| --- | ${names.map(() => ":-:").join(" | ")} |`,
    ...rows.map(({ mistake, caught }) => {
      const marks = names.map((name) => (caught.includes(name) ? "✗" : ""));
      return `| ${mistake.name} | ${marks.join(" | ")} |`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the page says about each mistake. */
export function readTable(page: string): Map<string, LayerName[]> {
  const names = Object.keys(layers) as LayerName[];
  const text = page.slice(page.indexOf(beginMark) + beginMark.length, page.indexOf(endMark));
  const rows = text.trim().split("\n").slice(2);
  return new Map(
    rows.map((row) => {
      const [, name = "", ...marks] = row.split("|").map((cell) => cell.trim());
      return [name, names.filter((_, column) => marks[column] === "✗")];
    }),
  );
}
