/** Finds `@/path.md#slug` in a text. Code spans are skipped, and `me@/x` is an address. */

import type { Reference } from "./plan.ts";
import type { SourceLine } from "./read/lines.ts";
import { codeSpans, proseBlocks } from "./read/prose.ts";

/** Searches the given lines. Lines whose content is ignored hold no references. */
export function findReferences(text: string, lines: Iterable<SourceLine>): Reference[] {
  const found: Reference[] = [];
  for (const { start, end } of proseBlocks(lines)) collect(text, start, end, found);
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
    // The full stop of a sentence is not part of a name.
    let tail = 0;
    while (".!?:*_".includes(whole.at(-1 - tail) ?? " ")) tail += 1;
    const cut = (part: string) => (tail > 0 ? part.slice(0, -tail) : part);
    const place = { start: start + match.index, end: start + match.index + whole.length - tail };
    if (slug === undefined) found.push({ path: cut(path), at: place });
    else found.push({ path, ...(cut(slug) === "" ? {} : { slug: cut(slug) }), at: place });
  }
}
