/**
 * The lines of a Markdown document, each with what it begins: a heading, a list item, text, or something whose content
 * is ignored (code, comments, tables).
 *
 * This is not a Markdown parser: it knows only as much about blocks as a task document needs, reads every character a
 * bounded number of times, and keeps exact offsets. A parser for the whole language took half a second for 500 tasks.
 */

import type { Span } from "../plan.ts";
import { closesFence, type FenceMark, fenceAt } from "./fence.ts";
import { fieldOn } from "./field.ts";

export interface SourceLine {
  readonly kind: "blank" | "text" | "quote" | "heading" | "item" | "break" | "comment" | "opaque";
  readonly start: number;
  /** Before the line end. */
  readonly end: number;
  /** After the line end. */
  readonly next: number;
  /** The first character that is not blank. */
  readonly first: number;
  /** In columns; a tab advances to the next multiple of four. */
  readonly indent: number;
  readonly heading?: { readonly level: number; readonly title: Span };
  readonly item?: Item;
  /** Set on opaque lines that are table rows. */
  readonly isRow?: true;
}

export interface Item {
  /** The first character after the marker, and after the box if there is one. */
  readonly content: number;
  /** The character between the brackets of `[ ]`. */
  readonly tick?: number;
}

export interface ScannedLines {
  readonly lines: readonly SourceLine[];
  /** An unclosed code fence or comment, which hides everything below it. */
  readonly unclosed?: Span;
}

export function scanLines(text: string, from = 0): ScannedLines {
  const scan = new Scan(text);
  for (let start = from; start < text.length; ) start = scan.take(start);
  return scan.finish();
}

type Open =
  | { readonly kind: "fence"; readonly fence: FenceMark; readonly column: number; readonly at: Span }
  | { readonly kind: "html"; readonly end: string; readonly at: Span };

class Scan {
  private readonly lines: SourceLine[] = [];
  private open: Open | undefined;
  private inTable = false;
  /** Index of the first line of the current paragraph; -1 if there is none. */
  private paragraph = -1;
  /** The columns at which the contents of the enclosing list items begin. */
  private readonly containers: number[] = [];
  private nextClose = -1;
  private nextBlank = -1;

  constructor(private readonly text: string) {}

  finish(): ScannedLines {
    const { lines, open } = this;
    return open ? { lines, unclosed: open.at } : { lines };
  }

  /** Reads the line that begins at `start`; returns where the next one begins. */
  take(start: number): number {
    const { text } = this;
    const feed = text.indexOf("\n", start);
    const next = feed === -1 ? text.length : feed + 1;
    const stop = feed === -1 ? text.length : feed;
    const end = stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
    const { first, indent } = leading(text, start, end);
    const line: SourceLine = { kind: "text", start, end, next, first, indent };
    if (!this.hides(line)) this.begin(line);
    return next;
  }

  /** Whether the line is inside something whose content is ignored. */
  private hides(line: SourceLine): boolean {
    const { open } = this;
    if (!open) return false;
    if (open.kind === "html") {
      if (this.text.slice(line.first, line.end).toLowerCase().includes(open.end)) this.open = undefined;
    } else if (line.first < line.end && line.indent < open.column) {
      // The list item that held the fence has ended, and the fence with it.
      this.open = undefined;
      return false;
    } else if (line.indent - open.column <= 3 && closesFence(this.text, line, open.fence)) {
      this.open = undefined;
    }
    this.push({ ...line, kind: open.kind === "html" && open.end === "-->" ? "comment" : "opaque" });
    return true;
  }

  private begin(line: SourceLine): void {
    const { text, containers } = this;
    if (line.first === line.end) {
      this.inTable = false;
      this.push({ ...line, kind: "blank" });
      return;
    }
    while ((containers.at(-1) ?? 0) > line.indent) containers.pop();
    const column = containers.at(-1) ?? 0;
    if (line.indent - column > 3 && this.paragraph === -1) {
      this.push({ ...line, kind: "opaque" });
      return;
    }
    const mark = text[line.first] ?? "";
    // At this depth inside a paragraph, only a list item counts, because people indent lists as they like.
    const isDeep = line.indent - column > 3;
    const taken = isDeep
      ? this.listItem(line, mark)
      : (mark === "#" && column === 0 && this.heading(line)) ||
        ((mark === "`" || mark === "~") && this.fence(line, line.first, column)) ||
        (mark === "<" && this.html(line)) ||
        ((mark === "=" || mark === "-") && column === 0 && this.underline(line)) ||
        (breaks.includes(mark) && this.thematicBreak(line)) ||
        this.listItem(line, mark) ||
        (mark === ">" && this.push({ ...line, kind: "quote" })) ||
        this.tableRow(line, mark);
    if (taken) return;
    if (this.paragraph === -1) this.paragraph = this.lines.length;
    this.lines.push(line);
    this.inlineComment(line);
  }

  /** Every line except text ends the paragraph before it. */
  private push(line: SourceLine): true {
    this.paragraph = -1;
    if (line.kind !== "blank" && line.kind !== "opaque" && line.kind !== "comment") this.inTable = false;
    this.lines.push(line);
    return true;
  }

  private heading(line: SourceLine): boolean {
    const { text } = this;
    let at = line.first;
    while (text[at] === "#") at += 1;
    const level = at - line.first;
    if (level > 6 || (at < line.end && !isBlank(text[at]))) return false;
    const title = trimmed(text, at, line.end);
    let close = title.end;
    while (close > title.start && text[close - 1] === "#") close -= 1;
    const closed = close === title.start || isBlank(text[close - 1]);
    const span = closed ? trimmed(text, title.start, close) : title;
    return this.push({ ...line, kind: "heading", heading: { level, title: span } });
  }

  private fence(line: SourceLine, at: number, column: number): boolean {
    const fence = fenceAt(this.text, at, line.end);
    if (!fence) return false;
    this.push({ ...line, kind: "opaque" });
    this.open = { kind: "fence", fence, column, at: { start: at, end: line.end } };
    return true;
  }

  /** A comment, or an element whose content is not Markdown. */
  private html(line: SourceLine): boolean {
    const content = this.text.slice(line.first, line.end).toLowerCase();
    const name = /^<(pre|script|style|textarea)(?=[\s>]|$)/.exec(content)?.[1];
    const end = content.startsWith("<!--") ? "-->" : name && `</${name}>`;
    if (!end) return false;
    this.push({ ...line, kind: end === "-->" ? "comment" : "opaque" });
    if (!content.slice(1).includes(end)) {
      this.open = { kind: "html", end, at: { start: line.first, end: line.end } };
    }
    return true;
  }

  /** `===` or `---` below a paragraph turns all of it into a heading; below fields it is only a rule. */
  private underline(line: SourceLine): boolean {
    const { text, lines, paragraph } = this;
    const first = lines[paragraph];
    const last = lines.at(-1);
    if (first?.kind !== "text" || !last) return false;
    const mark = text[line.first] ?? "";
    if (!consistsOf(text, line.first, trimmed(text, line.first, line.end).end, mark)) return false;
    for (let at = paragraph; at < lines.length; at += 1) {
      const each = lines[at];
      if (each && fieldOn(text, each)?.isKnown) return this.push({ ...line, kind: "break" });
    }
    lines.length = paragraph;
    const title = trimmed(text, first.first, last.end);
    const level = mark === "=" ? 1 : 2;
    return this.push({ ...first, kind: "heading", next: line.next, heading: { level, title } });
  }

  private thematicBreak(line: SourceLine): boolean {
    const mark = this.text[line.first];
    let marks = 0;
    for (let at = line.first; at < line.end; at += 1) {
      const each = this.text[at];
      if (each === mark) marks += 1;
      else if (!isBlank(each)) return false;
    }
    return marks >= 3 && this.push({ ...line, kind: "break" });
  }

  private listItem(line: SourceLine, mark: string): boolean {
    const { text } = this;
    const width = markerWidth(text, line.first, mark);
    if (width === 0) return false;
    const behind = line.first + width;
    const inText = this.lines[this.paragraph]?.kind === "text";
    // An item interrupts a paragraph only if it cannot be the rest of a sentence.
    if (inText && (behind === line.end || (width > 1 && text.slice(line.first, behind - 1) !== "1"))) {
      return false;
    }
    const blanks = leading(text, behind, line.end);
    const spaces = blanks.first === line.end ? 1 : blanks.indent > 4 ? 1 : blanks.indent;
    const column = line.indent + width + spaces;
    const isBox = /^\[[ xX]\](?:[ \t]|$)/.test(
      text.slice(blanks.first, Math.min(line.end, blanks.first + 4)),
    );
    const content = isBox ? leading(text, blanks.first + 3, line.end).first : blanks.first;
    this.push({
      ...line,
      kind: "item",
      item: isBox ? { content, tick: blanks.first + 1 } : { content },
    });
    this.containers.push(column);
    const fence = fenceAt(text, content, line.end);
    if (fence) this.open = { kind: "fence", fence, column, at: { start: content, end: line.end } };
    else {
      if (content < line.end) this.paragraph = this.lines.length - 1;
      this.inlineComment(line);
    }
    return true;
  }

  private tableRow(line: SourceLine, mark: string): boolean {
    const { text } = this;
    if (!this.inTable && mark !== "|") {
      this.inTable = text.slice(line.first, line.end).includes("|") && isDelimiterRow(text, line.next);
      if (!this.inTable) return false;
    }
    return this.push({ ...line, kind: "opaque", isRow: true });
  }

  /** A comment that begins inside a line and ends on a later line of the same paragraph. */
  private inlineComment(line: SourceLine): void {
    const { text } = this;
    const content = text.slice(line.first, line.end);
    const begin = content.lastIndexOf("<!--");
    if (begin === -1 || content.includes("-->", begin)) return;
    const at = line.first + begin;
    if (this.nextClose < at) this.nextClose = positionOf(text, "-->", at);
    if (this.nextBlank < at) this.nextBlank = blankLineBehind(text, at);
    const ticks = content.slice(0, begin).split("`").length - 1;
    if (this.nextClose > this.nextBlank || ticks % 2 === 1) return;
    this.open = { kind: "html", end: "-->", at: { start: at, end: line.end } };
  }
}

const breaks = "-*_";

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function leading(text: string, start: number, end: number): { first: number; indent: number } {
  let first = start;
  let indent = 0;
  for (; first < end; first += 1) {
    if (text[first] === " ") indent += 1;
    else if (text[first] === "\t") indent += 4 - (indent % 4);
    else break;
  }
  return { first, indent };
}

export function trimmed(text: string, start: number, end: number): Span {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from] ?? "")) from += 1;
  while (to > from && /\s/.test(text[to - 1] ?? "")) to -= 1;
  return { start: from, end: to };
}

function consistsOf(text: string, start: number, end: number, mark: string): boolean {
  for (let at = start; at < end; at += 1) if (text[at] !== mark) return false;
  return true;
}

/** The width of `-`, `*`, `+`, `12.` or `12)` followed by a blank or nothing; 0 if there is no marker. */
function markerWidth(text: string, at: number, mark: string): number {
  let width = 1;
  if (mark >= "0" && mark <= "9") {
    while (width < 10 && isDigit(text[at + width])) width += 1;
    if (text[at + width] !== "." && text[at + width] !== ")") return 0;
    width += 1;
  } else if (mark !== "-" && mark !== "*" && mark !== "+") return 0;
  const behind = text[at + width];
  return behind === undefined || /\s/.test(behind) ? width : 0;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** `--- | :--:`, the line that turns the one above it into a table. */
function isDelimiterRow(text: string, start: number): boolean {
  let hasPipe = false;
  let hasDash = false;
  for (let at = start; at < text.length && text[at] !== "\n"; at += 1) {
    const each = text[at] ?? "";
    if (each === "|") hasPipe = true;
    else if (each === "-") hasDash = true;
    else if (!/[:\s]/.test(each)) return false;
  }
  return hasPipe && hasDash;
}

function positionOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function blankLineBehind(text: string, from: number): number {
  const blank = /\n[ \t\r]*\n/g;
  blank.lastIndex = from;
  return blank.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}
