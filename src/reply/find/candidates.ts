/**
 * The places in a reply where its operations could be, in ranks: what a model marked clearly comes before what has to
 * be searched for.
 */
import type { Fence } from "./fences.ts";
import { type JsonScanner, type Scan, skipSpace } from "./scan.ts";
import type { Source } from "./source.ts";

export interface Candidate {
  /** Where the value begins. */
  readonly from: number;
  readonly scan: Scan;
  /** Where the candidate ends; a block may contain more than the value. */
  readonly until: number;
}

/** Blocks that are meant to hold JSON: one that does not begin like JSON gets an error of its own. */
export function blocks(text: string, fences: readonly Fence[], scanner: JsonScanner): Candidate[] {
  return fences.flatMap((fence) => {
    if (fence.value !== undefined) return [{ ...fence.value, until: fence.bodyEnd }];
    const from = skipSpace(text, fence.bodyFrom);
    return from >= fence.bodyEnd ? [] : [{ from, scan: scanner.scan(from), until: fence.bodyEnd }];
  });
}

/** Blocks that begin like JSON, with another language or none. */
export function otherBlocks(fences: readonly Fence[]): Candidate[] {
  return fences.flatMap((fence) =>
    fence.value === undefined || isJson(fence) || isDisguised(fence)
      ? []
      : [{ ...fence.value, until: fence.bodyEnd }],
  );
}

export function isJson(fence: Fence): boolean {
  return fence.info.toLowerCase() === "json";
}

/** An info string with invisible characters (`js\u200bon`) was made to be read in two ways. */
export function isDisguised(fence: Fence): boolean {
  return /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(fence.info.replaceAll("\t", ""));
}

/**
 * The reply was cut off inside this block, so what comes before it is not what was meant. A stray fence at the end of a
 * reply does not count.
 */
export function isCutOff(text: string, fence: Fence): boolean {
  if (fence.closed) return false;
  return isJson(fence) || (fence.value !== undefined && text[fence.value.from] === "{");
}

/** The reply as a whole, if it begins like JSON. */
export function wholeReply(text: string, scanner: JsonScanner): Candidate | undefined {
  const from = skipSpace(text, 0);
  const char = text[from];
  if (char !== "{" && char !== "[" && char !== '"') return undefined;
  return { from, scan: scanner.scan(from), until: text.length };
}

export const PROSE_CANDIDATES_MAX = 1_000;

/**
 * Objects between the blocks that mention what is expected. Objects inside a larger one are not candidates, even if the
 * larger one turns out to be broken: a part is never mistaken for the whole.
 */
export function objectsInProse(
  { text, fences, scanner }: Source,
  mentions: readonly string[],
  whole?: Candidate,
): Candidate[] {
  const found: Candidate[] = [];
  const gaps = new Gaps(fences);
  const next = new Mentions(text, mentions);
  for (let at = 0; found.length <= PROSE_CANDIDATES_MAX; ) {
    const from = gaps.skip(text.indexOf("{", at));
    if (from === -1) break;
    if (text[from] !== "{") {
      at = from;
      continue;
    }
    const mention = next.from(from);
    if (mention === -1) break;
    const scan = whole?.from === from ? whole.scan : scanner.scan(from);
    const until = scan.complete ? scan.end : brokenEnd(text, scan.at);
    if (mention < until) found.push({ from, scan, until });
    at = scan.complete ? scan.end : scan.resumeAt;
  }
  return found;
}

/** Finds the next position of any of several texts, moving forward: each text is searched for once over the whole. */
class Mentions {
  readonly #text: string;
  readonly #next: { readonly wanted: string; at: number }[];

  constructor(text: string, mentions: readonly string[]) {
    this.#text = text;
    this.#next = mentions.map((wanted) => ({ wanted, at: text.indexOf(wanted) }));
  }

  /** -1 if none is left. */
  from(at: number): number {
    let nearest = -1;
    for (const mention of this.#next) {
      if (mention.at !== -1 && mention.at < at) mention.at = this.#text.indexOf(mention.wanted, at);
      if (mention.at !== -1 && (nearest === -1 || mention.at < nearest)) nearest = mention.at;
    }
    return nearest;
  }
}

/** Skips blocks, moving forward. */
class Gaps {
  readonly #fences: readonly Fence[];
  #next = 0;

  constructor(fences: readonly Fence[]) {
    this.#fences = fences;
  }

  /** The position itself, or the end of the block it is in. */
  skip(at: number): number {
    for (let fence = this.#fences[this.#next]; fence !== undefined; fence = this.#fences[this.#next]) {
      if (at < fence.from) return at;
      if (at < fence.end) return fence.end;
      this.#next += 1;
    }
    return at;
  }
}

/** A broken object may still name what it was going to be, shortly after the place where it broke. */
function brokenEnd(text: string, brokenAt: number): number {
  const behind = text.slice(brokenAt, brokenAt + 200);
  const next = behind.search(/[{\n]/);
  return brokenAt + (next === -1 ? behind.length : next);
}
