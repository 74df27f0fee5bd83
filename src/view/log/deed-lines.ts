/** Who changed which documents, for people: one line per change. */
import { oneLine } from "../../std/printable.ts";
import type { Paint } from "../text/paint.ts";

export interface DeedRow {
  /** Permanent: the number that `cox undo --documents` takes. */
  readonly number: number;
  /** In the reader's local time: "2026-03-01 12:04:11". */
  readonly when: string;
  readonly by: string;
  /** The door the change came through: "mcp-stdio". */
  readonly door: string;
  readonly tool: string;
  readonly about: string;
  /** Documents, or tasks in them: "/a.md#write-it". */
  readonly places: readonly string[];
}

/** Any more are counted, not named. */
const placesMax = 3;

export function deedLines(rows: readonly DeedRow[], paint: Paint): string {
  if (rows.length === 0) return "no document has been changed here yet\n";
  return rows.map((row) => `${lineOf(row, paint)}\n`).join("");
}

function lineOf({ number, when, by, door, tool, about, places }: DeedRow, paint: Paint): string {
  const named = places.slice(0, placesMax).map((place) => oneLine(place, 200));
  const more = places.length > placesMax ? [`and ${places.length - placesMax} more`] : [];
  const who = `${paint("bold", oneLine(by, 60))} ${paint("dim", `(${oneLine(door, 20)})`)}`;
  const where = paint("dim", [...named, ...more].join(", "));
  return [String(number).padStart(4), paint("dim", when), who, oneLine(tool, 60), oneLine(about, 200), where]
    .join("  ")
    .trimEnd();
}
