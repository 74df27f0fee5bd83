/** What a reply will do, one line per operation, before it is done. */
import { oneLine } from "../../std/printable.ts";
import { size } from "../../std/size.ts";
import type { LineCounts } from "../text/difference.ts";
import type { Paint, Style } from "../text/paint.ts";

export interface StepRow {
  readonly operation: "create" | "edit" | "append" | "delete";
  readonly path: string;
  readonly description: string;
  /** The file's size in bytes just before and just after; undefined if there is no file. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly lines?: LineCounts | undefined;
}

/** Nobody reads a longer list. */
const rowsMax = 200;
const pathWidthMax = 48;

export function stepsText(rows: readonly StepRow[], paint: Paint): string {
  const shown = rows.slice(0, rowsMax);
  const width = Math.min(pathWidthMax, Math.max(0, ...shown.map(({ path }) => oneLine(path).length)));
  const lines = shown.map((row) => rowText(row, width, paint));
  const left = rows.length - shown.length;
  if (left > 0) lines.push(`  … and ${left} more operations\n`);
  return lines.join("");
}

function rowText(
  { operation, path, description, before, after, lines }: StepRow,
  width: number,
  paint: Paint,
): string {
  const [mark, style] = marks[operation];
  const sizes = [before, after]
    .filter((bytes) => bytes !== undefined)
    .map(size)
    .join(" → ");
  const counts = lines
    ? [
        lines.added > 0 ? paint("green", `+${lines.added}`) : "",
        lines.removed > 0 ? paint("red", `−${lines.removed}`) : "",
      ]
    : [];
  const change = [sizes, ...counts].filter((part) => part !== "").join("  ");
  return `${paint(style, `${mark} ${operation.padEnd(6)} ${oneLine(path).padEnd(width)}`)}  ${change}\n${paint("dim", `    ${oneLine(description, 160)}`)}\n`;
}

const marks = {
  create: ["+", "green"],
  edit: ["~", "yellow"],
  append: ["»", "cyan"],
  delete: ["−", "red"],
} as const satisfies Record<StepRow["operation"], readonly [string, Style]>;
