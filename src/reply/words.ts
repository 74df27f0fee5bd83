/** The words of a reply: its text without the blocks that hold JSON, or anything else that was taken from it as data. */
import { isJson } from "./candidates.ts";
import { type Fence, hasTag } from "./fences.ts";
import type { Source } from "./source.ts";

export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The places where words stand, in order; each is looked at once. */
export function wordSpans(source: Source, taken?: Span): Span[] {
  const { text, fences } = source;
  const data = fences
    .filter((fence) => holdsData(source, fence))
    .map(({ from, end }): Span => ({ from, until: end }));
  if (taken !== undefined) data.push(taken);
  data.sort((one, other) => one.from - other.from);
  const spans: Span[] = [];
  let from = 0;
  for (const span of [...data, { from: text.length, until: text.length }]) {
    if (span.from > from) spans.push({ from, until: span.from });
    from = Math.max(from, span.until);
  }
  return spans;
}

/** The words between two places, at most so many characters of them. */
export function wordsWithin(
  { text }: Source,
  spans: readonly Span[],
  { from, until, charactersMax }: Span & { readonly charactersMax: number },
): string {
  let words = "";
  for (const span of spans) {
    const left = charactersMax - words.length;
    const start = Math.max(span.from, from);
    const end = Math.min(span.until, until, start + left);
    if (left > 0 && end > start) words += text.slice(start, end);
  }
  // The last character may have been cut in half.
  const last = words.charCodeAt(words.length - 1);
  return (last >= 0xd800 && last <= 0xdbff ? words.slice(0, -1) : words).trim();
}

function holdsData({ text, tag }: Source, fence: Fence): boolean {
  if (isJson(fence) || (tag !== undefined && hasTag(fence.info, tag))) return true;
  return fence.value !== undefined && text[fence.value.from] === "{";
}
