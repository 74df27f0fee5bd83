/** Finds `@/path.md#slug` in a text. Code spans are no text, and `me@/x` is an address. */
import type { Line } from "./lines.ts";
import type { Reference } from "./plan.ts";

/** Over the given lines; what is not looked into holds no references. */
export function findReferences(text: string, lines: Iterable<Line>): Reference[] {
  const found: Reference[] = [];
  let block: { start: number; end: number } | undefined;
  const finish = () => {
    if (block) collect(text, block.start, block.end, found);
    block = undefined;
  };
  for (const { kind, start, next } of lines) {
    if (kind === "blank" || kind === "opaque" || kind === "comment") finish();
    // A code span ends with its block at the latest.
    else if (kind !== "text" || block === undefined) {
      finish();
      block = { start, end: next };
    } else block.end = next;
  }
  finish();
  return found;
}

const reference = /(?<![\p{L}\p{N}_@/.\\-])@(\/[^\s#()[\]<>"'`,;|]+)(?:#([^\s()[\]<>"'`,;|#]*))?/gu;

function collect(text: string, start: number, end: number, found: Reference[]): void {
  const block = text.slice(start, end);
  if (!block.includes("@/")) return;
  const code = codeSpans(block);
  let span = 0;
  for (const match of block.matchAll(reference)) {
    while (span < code.length && (code[span]?.end ?? 0) <= match.index) span += 1;
    if ((code[span]?.start ?? Number.POSITIVE_INFINITY) <= match.index) continue;
    const [whole, path = "", slug] = match;
    // The full stop of a sentence is no part of a name.
    let tail = 0;
    while (".!?:*_".includes(whole.at(-1 - tail) ?? " ")) tail += 1;
    const cut = (part: string) => (tail > 0 ? part.slice(0, -tail) : part);
    const place = { start: start + match.index, end: start + match.index + whole.length - tail };
    if (slug === undefined) found.push({ path: cut(path), at: place });
    else found.push({ path, ...(cut(slug) === "" ? {} : { slug: cut(slug) }), at: place });
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** A run of backticks up to the next run of the same length. Each run knows its partner, so this is linear. */
function codeSpans(block: string): Run[] {
  const runs: Run[] = [...block.matchAll(/`+/g)].map(({ 0: run, index }) => ({
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
  const spans: Run[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const other = runs[partner[at] ?? -1];
    if (!other) continue;
    spans.push({ start: runs[at]?.start ?? 0, end: other.end });
    at = partner[at] ?? at;
  }
  return spans;
}
