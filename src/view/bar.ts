/** The bar of a run: what is done, what is being worked on, what is left; and the same in numbers. */
import type { State } from "../kernel/state.ts";
import { grouped } from "../std/counted.ts";
import { groupCounts } from "./groups.ts";
import type { Line, Piece } from "./line.ts";
import type { Liveness, Seen } from "./liveness.ts";

/** On a narrow terminal the numbers have a line of their own. */
export function barLines({ state, liveness }: Pick<Seen, "state" | "liveness">, columns: number): Line[] {
  const bar = barLine(state, columns);
  const numbers = countPieces(state, liveness);
  return columns < narrow ? [bar, ...filled(numbers, columns)] : [[...bar, "  ", ...joined(numbers)]];
}

const narrow = 60;

/** Cells for each share; what has begun is seen, however small it is. */
function barLine(state: State, columns: number): Line {
  const width = columns < narrow ? Math.max(1, columns - 2) : Math.min(24, Math.floor(columns / 4));
  const counts = groupCounts(state);
  const total = Math.max(1, state.tasks.size);
  const done = Math.floor((width * counts.done) / total);
  const started = counts.working + counts.needs_you;
  const begun = started === 0 ? 0 : Math.max(1, Math.floor((width * started) / total));
  const working = Math.min(begun, width - done);
  return [
    ["green", "█".repeat(done)],
    ["cyan", "▒".repeat(working)],
    ["dim", "░".repeat(width - done - working)],
  ];
}

/** Each task once: of one that failed, and is asked about, that it failed. */
function countPieces(state: State, { isAlive }: Pick<Liveness, "isAlive">): Piece[] {
  const { done, working, waiting, failed, needs_you: forYou } = groupCounts(state);
  const pieces: Piece[] = [`${grouped(done)} of ${grouped(state.tasks.size)} done`];
  if (working > 0) pieces.push(`${grouped(working)} ${isAlive ? "working" : "under way"}`);
  if (forYou > 0) pieces.push(["yellow", `${grouped(forYou)} for you`]);
  if (failed > 0) pieces.push(["red", `${grouped(failed)} failed`]);
  if (waiting > 0) pieces.push(`${grouped(waiting)} waiting`);
  return pieces;
}

/** As many lines as it takes, so that no number is cut. */
function filled(pieces: readonly Piece[], columns: number): Line[] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    const line = lines.at(-1) ?? [];
    if (line.length > 0 && lengthOf(joined([...line, piece])) > columns) lines.push([piece]);
    else line.push(piece);
  }
  return lines.map(joined);
}

function joined(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [" · ", piece]));
}

function lengthOf(line: Line): number {
  return line.reduce((sum, piece) => sum + (typeof piece === "string" ? piece : piece[1]).length, 0);
}
