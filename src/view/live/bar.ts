/** The progress bar of a run: what is done, what is under way, what is left; and the same in numbers. */
import type { State } from "../../kernel/state.ts";
import { grouped } from "../../std/counted.ts";
import { groupCounts } from "../status/groups.ts";
import type { Liveness, RunSnapshot } from "../status/liveness.ts";
import type { StyledLine, StyledText } from "../text/line.ts";

/** On a narrow terminal the numbers get their own line. */
export function barLines(
  { state, liveness }: Pick<RunSnapshot, "state" | "liveness">,
  columns: number,
): StyledLine[] {
  const bar = barLine(state, columns);
  const numbers = countPieces(state, liveness);
  return columns < narrow ? [bar, ...filled(numbers, columns)] : [[...bar, "  ", ...joined(numbers)]];
}

const narrow = 60;

/** Cells for each share; started work is always visible, however small its share. */
function barLine(state: State, columns: number): StyledLine {
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

/** Counts each task once: a failed task with an open question counts as "for you". */
function countPieces(state: State, { isAlive }: Pick<Liveness, "isAlive">): StyledText[] {
  const { done, working, waiting, failed, needs_you: forYou } = groupCounts(state);
  const pieces: StyledText[] = [`${grouped(done)} of ${grouped(state.tasks.size)} done`];
  if (working > 0) pieces.push(`${grouped(working)} ${isAlive ? "working" : "under way"}`);
  if (forYou > 0) pieces.push(["yellow", `${grouped(forYou)} for you`]);
  if (failed > 0) pieces.push(["red", `${grouped(failed)} failed`]);
  if (waiting > 0) pieces.push(`${grouped(waiting)} waiting`);
  return pieces;
}

/** Uses as many lines as needed, so that no number is cut. */
function filled(pieces: readonly StyledText[], columns: number): StyledLine[] {
  const lines: StyledText[][] = [[]];
  for (const piece of pieces) {
    const line = lines.at(-1) ?? [];
    if (line.length > 0 && lengthOf(joined([...line, piece])) > columns) lines.push([piece]);
    else line.push(piece);
  }
  return lines.map(joined);
}

function joined(pieces: readonly StyledText[]): StyledText[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [" · ", piece]));
}

function lengthOf(line: StyledLine): number {
  return line.reduce((sum, piece) => sum + (typeof piece === "string" ? piece : piece[1]).length, 0);
}
