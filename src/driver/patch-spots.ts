/**
 * The spots of a text that a unified diff changes, by the lines of the text as it is, so that diffs of one and the same
 * text can be put together.
 */
import { type Hunk, type HunkLine, parseHunks } from "../change/hunks.ts";
import { joinLines } from "../change/lines.ts";
import { decodeUtf8 } from "../std/utf8.ts";

export interface Spot {
  /** The first line that it changes, from 0, and the one behind the last; the same where lines are only added. */
  readonly from: number;
  readonly until: number;
  /** The lines of a diff, with the unchanged ones around them. */
  readonly lines: readonly HunkLine[];
  /** How many unchanged ones stand before. */
  readonly lead: number;
}

/** Nothing where it is no diff with line numbers. */
export function spotsIn(diff: string): readonly Spot[] | undefined {
  const parsed = parseHunks(diff);
  if ("problem" in parsed || parsed.hunks.some(({ line }) => line === undefined)) return undefined;
  return parsed.hunks.flatMap(spotsOf);
}

/** Of spots that touch the later one counts. */
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

/** What is added between two lines that are both changed. */
function isInside(one: Spot, other: Spot): boolean {
  const within = (at: number, { from, until }: Spot) => from < at && at < until;
  return (
    (one.from === one.until && within(one.from, other)) ||
    (other.from === other.until && within(other.from, one))
  );
}

/** Between two spots of a hunk the unchanged lines belong to both. */
function spotsOf({ line = 1, statedOld, lines }: Hunk): readonly Spot[] {
  const spots: Spot[] = [];
  // Where nothing old is stated, the line is the one to add behind.
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

/** Of lines that are all unchanged, or all changed. */
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
