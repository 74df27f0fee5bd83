/**
 * The fenced code blocks of a reply, as CommonMark has them, with one addition: a block that holds a JSON value
 * may close right behind it (`}` and the fence on one line), because models write it so.
 *
 * A fence inside a JSON string never counts: it stands on the string's line, not at the beginning of one. Every part of the
 * text is looked at a bounded number of times.
 */
import { type JsonScanner, type Scan, skipSpace } from "./scan.ts";

export interface Fence {
  /** What stands behind the opening fence, trimmed. */
  readonly info: string;
  readonly from: number;
  readonly bodyFrom: number;
  readonly bodyEnd: number;
  /** After the closing fence; the text's end when there is none. */
  readonly end: number;
  readonly closed: boolean;
  /** The JSON value at the body's beginning, where there could be one. */
  readonly value?: { readonly from: number; readonly scan: Scan };
}

export type Fences = { readonly fences: readonly Fence[] } | { readonly tooMany: number };

/** A line that opens a block tagged `tag` does so even inside another block: nobody else knows the tag. */
export function findFences(text: string, scanner: JsonScanner, tag?: string): Fences {
  const lines = new FenceLines(text);
  const fences: Fence[] = [];
  let openings = 0;
  for (let line = lines.next(0); line !== undefined; ) {
    openings += 1;
    const open = line;
    const value = valueAt(text, open.end, scanner);
    const close = value === undefined ? undefined : closingBehind(text, open, value.scan);
    let bodyEnd = close?.from ?? text.length;
    let end = close?.end ?? text.length;
    let closed = close !== undefined;
    let next: FenceLine | undefined;
    if (close === undefined) {
      for (next = lines.next(searchFrom(open.end, value)); next !== undefined; next = lines.next(next.end)) {
        if (tag !== undefined && hasTag(next.info, tag)) break;
        if (closes(open, next)) {
          closed = true;
          break;
        }
        if (next.info !== "") openings += 1;
        if (openings > OPENINGS_MAX) return { tooMany: OPENINGS_MAX };
      }
      bodyEnd = next?.from ?? text.length;
      end = closed ? (next?.end ?? text.length) : bodyEnd;
    }
    if (openings > OPENINGS_MAX) return { tooMany: OPENINGS_MAX };
    fences.push({
      info: open.info,
      from: open.from,
      bodyFrom: open.end,
      bodyEnd,
      end,
      closed,
      ...(value !== undefined && { value }),
    });
    line = next !== undefined && !closed ? next : lines.next(end);
  }
  return { fences };
}

export function hasTag(info: string, tag: string): boolean {
  return info.split(/\s+/).includes(tag);
}

/** Honest replies have a few; a text that has more cannot be read with confidence by anybody. */
const OPENINGS_MAX = 1_000;

interface FenceLine {
  readonly char: string;
  readonly length: number;
  readonly info: string;
  readonly from: number;
  /** The beginning of the next line. */
  readonly end: number;
}

/** Walks the lines that begin, after at most three spaces, with a run of three or more backticks or tildes. */
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
  // Backticks behind backticks are inline code.
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

/** The closing fence that follows a complete JSON value with nothing but white space between, on its line or a later one. */
function closingBehind(text: string, open: FenceLine, scan: Scan): { from: number; end: number } | undefined {
  if (!scan.complete) return undefined;
  const from = skipSpace(text, scan.end);
  if (text[from] !== open.char) return undefined;
  const run = runEnd(text, from);
  const end = indexOrEnd(text, "\n", run);
  if (run - from < open.length || text.slice(run, end).trim() !== "") return undefined;
  return { from, end: Math.min(end + 1, text.length) };
}

/** A fence line within the scanned part would have ended the scan, so the search goes on where the scan stopped. */
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
