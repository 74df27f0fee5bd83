/**
 * The words of a reply: its text without the blocks that hold JSON, and without anything else that was read as data.
 */
import { isJson } from "../find/candidates.ts";
import { type Fence, hasTag } from "../find/fences.ts";
import type { Source } from "../find/source.ts";

export interface TextSpan {
  readonly from: number;
  readonly until: number;
}

/** The spans that contain words, in order. Each is read once. */
export function wordSpans(source: Source, taken?: TextSpan): TextSpan[] {
  const { text, fences } = source;
  const data = fences
    .filter((fence) => holdsData(source, fence))
    .map(({ from, end }): TextSpan => ({ from, until: end }));
  if (taken !== undefined) data.push(taken);
  data.sort((one, other) => one.from - other.from);
  const spans: TextSpan[] = [];
  let from = 0;
  for (const span of [...data, { from: text.length, until: text.length }]) {
    if (span.from > from) spans.push({ from, until: span.from });
    from = Math.max(from, span.until);
  }
  return spans;
}

/** The words between two positions, up to a maximum number of characters. */
export function wordsWithin(
  { text }: Source,
  spans: readonly TextSpan[],
  { from, until, charactersMax }: TextSpan & { readonly charactersMax: number },
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
