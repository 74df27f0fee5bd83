/**
 * The parts of a Markdown text that are prose, without code blocks, comments and tables; and the code spans in them.
 */

import type { Span } from "../plan.ts";
import type { SourceLine } from "./lines.ts";

/** Lines that belong together: a code span ends with its block at the latest. */
export function proseBlocks(lines: Iterable<SourceLine>): Span[] {
  const blocks: Span[] = [];
  let block: { start: number; end: number } | undefined;
  for (const { kind, start, next } of lines) {
    if (kind === "blank" || kind === "opaque" || kind === "comment") block = undefined;
    else if (kind !== "text" || block === undefined) {
      block = { start, end: next };
      blocks.push(block);
    } else block.end = next;
  }
  return blocks;
}

/** A run of backticks up to the next run of the same length. Each run is paired once, so this is linear. */
export function codeSpans(block: string): Span[] {
  const runs: Span[] = [...block.matchAll(/`+/g)].map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }));
  const partner: number[] = [];
  const latest = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at];
    if (!run) continue;
    partner[at] = latest.get(run.end - run.start) ?? -1;
    latest.set(run.end - run.start, at);
  }
  const spans: Span[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const other = runs[partner[at] ?? -1];
    if (!other) continue;
    spans.push({ start: runs[at]?.start ?? 0, end: other.end });
    at = partner[at] ?? at;
  }
  return spans;
}
