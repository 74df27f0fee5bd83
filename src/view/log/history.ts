/** The list of changesets for people: one line each. */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Paint, Style } from "../text/paint.ts";

export interface HistoryRow {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly state: "applied" | "undone" | "taken back" | "unfinished";
  readonly undoes?: string;
  readonly summary?: string;
  readonly files: number;
  /** It can no longer be undone. */
  readonly cleared?: true;
}

export function historyText(rows: readonly HistoryRow[], paint: Paint): string {
  if (rows.length === 0) return "no changeset has been applied here yet\n";
  const width = Math.max(...rows.map(({ id }) => id.length));
  return rows.map((row) => rowText(row, width, paint)).join("");
}

function rowText(row: HistoryRow, width: number, paint: Paint): string {
  const { id, at, state, undoes, summary, files, cleared } = row;
  const when = paint("dim", `${at.slice(0, 10)} ${at.slice(11, 16)}`);
  const why = summary === undefined ? (undoes ? `undoes ${undoes}` : "") : oneLine(summary, 60);
  const cells = [
    paint("bold", id.padEnd(width)),
    when,
    paint(styles[state], state.padEnd(10)),
    counted(files, "file").padEnd(9),
    why,
    ...(cleared ? [paint("dim", "no longer undoable")] : []),
  ];
  return `${cells.join("  ").trimEnd()}\n`;
}

const styles = {
  applied: "green",
  undone: "dim",
  "taken back": "yellow",
  unfinished: "red",
} as const satisfies Record<HistoryRow["state"], Style>;
