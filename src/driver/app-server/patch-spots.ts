/**
 * The spots of a text that a unified diff changes, by line numbers of the original text, so that several diffs of the
 * same text can be combined.
 */
import { type Hunk, type HunkLine, parseHunks } from "../../change/edit/hunks.ts";
import { joinLines } from "../../change/edit/lines.ts";
import { decodeUtf8 } from "../../std/utf8.ts";

export interface Spot {
  /** The first changed line, counted from 0, and the line after the last one; equal when lines are only added. */
  readonly from: number;
  readonly until: number;
  /** The lines of the diff, including the unchanged ones around them. */
  readonly lines: readonly HunkLine[];
  /** How many unchanged lines come first. */
  readonly lead: number;
}

/** `undefined` when it is not a diff with line numbers. */
export function spotsIn(diff: string): readonly Spot[] | undefined {
  const parsed = parseHunks(diff);
  if ("problem" in parsed || parsed.hunks.some(({ line }) => line === undefined)) return undefined;
  return parsed.hunks.flatMap(spotsOf);
}

/** Combines two lists of spots. Where two spots touch, the later one wins. */
export function joinSpots(earlier: readonly Spot[], later: readonly Spot[]): readonly Spot[] {
  const kept = earlier.filter((spot) => !later.some((other) => touch(spot, other)));
  return [...kept, ...later].sort((one, other) => one.from - other.from || one.until - other.until);
}

export function writeSpots(spots: readonly Spot[]): string {
  return spots.map(writeSpot).join("");
}

function touch(one: Spot, other: Spot): boolean {
  const isSamePlace = one.from === other.from && one.until === other.until;
  return (
    isSamePlace || Math.max(one.from, other.from) < Math.min(one.until, other.until) || isInside(one, other)
  );
}

/** Whether one spot only adds lines strictly inside the lines that the other changes. */
function isInside(one: Spot, other: Spot): boolean {
  const within = (at: number, { from, until }: Spot) => from < at && at < until;
  return (
    (one.from === one.until && within(one.from, other)) ||
    (other.from === other.until && within(other.from, one))
  );
}

/** Unchanged lines between two spots of a hunk belong to both. */
function spotsOf({ line = 1, statedOld, lines }: Hunk): readonly Spot[] {
  const spots: Spot[] = [];
  // If the hunk has no old lines, its line number is the one to add after.
  let at = statedOld === 0 ? line : line - 1;
  for (let index = 0; index < lines.length; ) {
    const end = endOfRun(lines, index);
    const run = lines.slice(index, end);
    const from = at;
    at += run.filter(({ kind }) => kind !== "added").length;
    if (lines[index]?.kind !== "context") {
      const lead = lines.slice(startOfContext(lines, index), index);
      const trail = lines.slice(end, endOfRun(lines, end));
      spots.push({ from, until: at, lines: [...lead, ...run, ...trail], lead: lead.length });
    }
    index = end;
  }
  return spots;
}

/** The end of a run of lines that are all unchanged or all changed. */
function endOfRun(lines: readonly HunkLine[], from: number): number {
  const isContext = lines[from]?.kind === "context";
  let end = from;
  while (end < lines.length && (lines[end]?.kind === "context") === isContext) end += 1;
  return end;
}

function startOfContext(lines: readonly HunkLine[], before: number): number {
  let start = before;
  while (start > 0 && lines[start - 1]?.kind === "context") start -= 1;
  return start;
}

function writeSpot({ from, lines, lead }: Spot): string {
  const count = (without: HunkLine["kind"]) => lines.filter(({ kind }) => kind !== without).length;
  const [old, now] = [count("added"), count("removed")];
  const first = from - lead + (old === 0 ? 0 : 1);
  return [`@@ -${first},${old} +${first},${now} @@\n`, ...lines.map(writeLine)].join("");
}

function writeLine({ kind, text }: HunkLine): string {
  const line = `${signs[kind]}${decodeUtf8(joinLines([text]))}`;
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

const signs = { context: " ", removed: "-", added: "+" } as const;
