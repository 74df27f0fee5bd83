/**
 * What a change does to a file, line by line, as a unified diff for people.
 *
 * Time and length are limited for every input, so it may leave lines out, and says so. It is not a patch to apply.
 */
import { type StructuredPatchHunk, structuredPatch } from "diff";
import { counted } from "../../std/counted.ts";
import { oneLine, printableLine } from "../../std/printable.ts";
import { size } from "../../std/size.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { noPaint, type Paint } from "./paint.ts";

export interface FileDifference {
  readonly path: string;
  /** Undefined if there is no file. */
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
}

/** A comparison costs about lines plus edits squared; beyond these limits a diff helps nobody. */
const comparedBytesMax = 2 * 1024 * 1024;
const editsMax = 3000;
const widthMax = 400;

/** The diff of one file, at most `linesMax` lines of it. */
export function differenceLines(
  difference: FileDifference,
  linesMax: number,
  paint: Paint = noPaint,
): string[] {
  const { path, before, after } = difference;
  const head = [
    paint("bold", `--- ${before ? oneLine(`a/${path}`) : "/dev/null"}`),
    paint("bold", `+++ ${after ? oneLine(`b/${path}`) : "/dev/null"}`),
  ];
  const hunks = compared(difference);
  if (!hunks) return [...head, paint("dim", tooDifferent(difference))];
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    paint("cyan", `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`),
    ...lines.map((line) => painted(line, paint)),
  ]);
  const left = lines.length - linesMax;
  return [
    ...head,
    ...lines.slice(0, linesMax),
    ...(left > 0 ? [paint("dim", `… ${counted(left, "more line")}`)] : []),
  ];
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Undefined if the two are too large or too different to compare. */
export function lineCounts(difference: Omit<FileDifference, "path">): LineCounts | undefined {
  const { before, after } = difference;
  if (!before || !after)
    return { added: after ? countLines(after) : 0, removed: before ? countLines(before) : 0 };
  const hunks = compared(difference);
  if (!hunks) return undefined;
  const signs = hunks.flatMap(({ lines }) => lines.map((line) => line[0]));
  return {
    added: signs.filter((sign) => sign === "+").length,
    removed: signs.filter((sign) => sign === "-").length,
  };
}

function compared({ before, after }: Omit<FileDifference, "path">): readonly Hunk[] | undefined {
  if ((before?.length ?? 0) + (after?.length ?? 0) > comparedBytesMax) return undefined;
  if (!before || !after) return [wholeFile({ before, after })];
  const options = { context: 3, maxEditLength: editsMax };
  return structuredPatch("", "", text(before), text(after), undefined, undefined, options)?.hunks;
}

type Hunk = Pick<StructuredPatchHunk, "oldStart" | "oldLines" | "newStart" | "newLines" | "lines">;

/** There is only one side, so there is nothing to compare. */
function wholeFile({ before, after }: Omit<FileDifference, "path">): Hunk {
  const all = text(before ?? after).split("\n");
  const isOpenEnded = all.at(-1) !== "";
  if (!isOpenEnded) all.pop();
  const lines = all.map((line) => `${before ? "-" : "+"}${line}`);
  if (isOpenEnded) lines.push("\\ No newline at end of file");
  return {
    oldStart: 1,
    oldLines: before ? all.length : 0,
    newStart: 1,
    newLines: after ? all.length : 0,
    lines,
  };
}

/** An empty range is written with the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function painted(line: string, paint: Paint): string {
  // A carriage return is shown, because a change of line ends would otherwise look like no change.
  const shown = printableLine(line, widthMax) + (line.endsWith("\r") ? "\\r" : "");
  if (line.startsWith("+")) return paint("green", shown);
  if (line.startsWith("-")) return paint("red", shown);
  return line.startsWith("\\") ? paint("dim", shown) : shown;
}

function tooDifferent({ before, after }: FileDifference): string {
  return `too large to compare line by line: ${size(before?.length ?? 0)} → ${size(after?.length ?? 0)}`;
}

function text(bytes: Uint8Array | undefined): string {
  return bytes ? decodeUtf8(bytes) : "";
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 10) lines++;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines;
}
