/**
 * The fenced code blocks of a reply, as in CommonMark, with one addition: a block that holds a JSON value may close
 * right after it (`}` and the fence on one line), because models write it that way.
 *
 * A fence inside a JSON string never counts: it is on the string's line, not at the beginning of one. Every part of the
 * text is read a bounded number of times.
 */
import { type JsonScanner, type Scan, skipSpace } from "./scan.ts";

export interface Fence {
  /** The text after the opening fence, trimmed. */
  readonly info: string;
  readonly from: number;
  readonly bodyFrom: number;
  readonly bodyEnd: number;
  /** After the closing fence, or the end of the text if there is none. */
  readonly end: number;
  readonly closed: boolean;
  /** The JSON value at the beginning of the body, if there could be one. */
  readonly value?: { readonly from: number; readonly scan: Scan };
}

export type Fences = { readonly fences: readonly Fence[] } | { readonly tooMany: number };

/** A line that opens a block tagged `tag` does so even inside another block, because nobody else knows the tag. */
export function findFences(text: string, scanner: JsonScanner, tag?: string): Fences {
  const lines = new FenceLines(text);
  const fences: Fence[] = [];
  let openings = 0;
  for (let open = lines.next(0); open !== undefined; ) {
    const value = valueAt(text, open.end, scanner);
    const close = closingBehind(text, open, value?.scan) ?? closingLine(text, lines, { open, value, tag });
    openings += 1 + close.passed;
    if (openings > OPENINGS_MAX) return { tooMany: OPENINGS_MAX };
    fences.push({
      info: open.info,
      from: open.from,
      bodyFrom: open.end,
      bodyEnd: close.bodyEnd,
      end: close.end,
      closed: close.closed,
      ...(value !== undefined && { value }),
    });
    open = close.reopens ?? lines.next(close.end);
  }
  return { fences };
}

export function hasTag(info: string, tag: string): boolean {
  return info.split(/\s+/).includes(tag);
}

/** Honest replies have a few. A text with more cannot be read reliably. */
const OPENINGS_MAX = 1_000;

interface FenceLine {
  readonly char: string;
  readonly length: number;
  readonly info: string;
  readonly from: number;
  /** The beginning of the next line. */
  readonly end: number;
}

/** Iterates over the lines that begin, after at most three spaces, with three or more backticks or tildes. */
class FenceLines {
  readonly #text: string;
  #backticks = -1;
  #tildes = -1;

  constructor(text: string) {
    this.#text = text;
  }

  next(from: number): FenceLine | undefined {
    const text = this.#text;
    for (let at = from; ; ) {
      if (this.#backticks < at) this.#backticks = indexOrEnd(text, "```", at);
      if (this.#tildes < at) this.#tildes = indexOrEnd(text, "~~~", at);
      const run = Math.min(this.#backticks, this.#tildes);
      if (run >= text.length) return undefined;
      const line = fenceLineAt(text, run);
      if (line !== undefined) return line;
      at = runEnd(text, run);
    }
  }
}

function fenceLineAt(text: string, run: number): FenceLine | undefined {
  let from = run;
  while (run - from < 3 && text[from - 1] === " ") from -= 1;
  if (from > 0 && text[from - 1] !== "\n") return undefined;
  const infoFrom = runEnd(text, run);
  const lineEnd = indexOrEnd(text, "\n", infoFrom);
  const info = text.slice(infoFrom, lineEnd).trim();
  const char = text[run] ?? "";
  // Backticks after backticks are inline code.
  if (char === "`" && info.includes("`")) return undefined;
  return { char, length: infoFrom - run, info, from, end: Math.min(lineEnd + 1, text.length) };
}

function closes(open: FenceLine, line: FenceLine): boolean {
  return line.char === open.char && line.length >= open.length && line.info === "";
}

function valueAt(text: string, bodyFrom: number, scanner: JsonScanner): Fence["value"] {
  const from = skipSpace(text, bodyFrom);
  const char = text[from];
  if (char !== "{" && char !== "[" && char !== '"') return undefined;
  return { from, scan: scanner.scan(from) };
}

interface FenceEnd extends Pick<Fence, "bodyEnd" | "end" | "closed"> {
  /** How many lines in the body looked like the opening of another block. */
  readonly passed: number;
  /** The line that ended the block by opening the tagged one. */
  readonly reopens?: FenceLine;
}

/** The fence after a complete JSON value, with only white space between them, on the same line or a later one. */
function closingBehind(text: string, open: FenceLine, scan: Scan | undefined): FenceEnd | undefined {
  if (scan?.complete !== true) return undefined;
  const from = skipSpace(text, scan.end);
  if (text[from] !== open.char) return undefined;
  const run = runEnd(text, from);
  const lineEnd = indexOrEnd(text, "\n", run);
  if (run - from < open.length || text.slice(run, lineEnd).trim() !== "") return undefined;
  return { bodyEnd: from, end: Math.min(lineEnd + 1, text.length), closed: true, passed: 0 };
}

/** The next line that closes the block, as in CommonMark. */
function closingLine(
  text: string,
  lines: FenceLines,
  block: { open: FenceLine; value: Fence["value"]; tag: string | undefined },
): FenceEnd {
  const { open, value, tag } = block;
  let passed = 0;
  let line = lines.next(searchFrom(open.end, value));
  for (; line !== undefined && passed <= OPENINGS_MAX; line = lines.next(line.end)) {
    if (tag !== undefined && hasTag(line.info, tag)) {
      return { bodyEnd: line.from, end: line.from, closed: false, passed, reopens: line };
    }
    if (closes(open, line)) return { bodyEnd: line.from, end: line.end, closed: true, passed };
    if (line.info !== "") passed += 1;
  }
  return { bodyEnd: text.length, end: text.length, closed: false, passed };
}

/** A fence line within the scanned part would have ended the scan, so the search continues where the scan stopped. */
function searchFrom(bodyFrom: number, value: Fence["value"]): number {
  if (value === undefined) return bodyFrom;
  return value.scan.complete ? value.scan.end : value.scan.at;
}

function runEnd(text: string, from: number): number {
  const char = text.charCodeAt(from);
  let at = from;
  while (text.charCodeAt(at) === char) at += 1;
  return at;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}
