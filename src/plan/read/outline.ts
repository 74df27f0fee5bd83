/** Finds the sections of a document, and its tasks as ranges of lines. */

import type { PlanSection, Span, TaskSection } from "../plan.ts";
import { type SourceLine, trimmed } from "./lines.ts";

/** A task as lines, before anything in it is read. */
export interface TaskDraft {
  readonly form: "heading" | "bullet";
  /** Headings of this level or above end the task; 7 for a bullet, which any heading ends. */
  readonly level: number;
  readonly title: Span;
  readonly head: SourceLine;
  /** The lines below its title. */
  readonly body: readonly SourceLine[];
  readonly whole: Span;
}

export interface Outline {
  readonly sections: readonly PlanSection[];
  readonly taskSections: readonly TaskSection[];
  readonly drafts: readonly TaskDraft[];
  /** Bullets directly below `Tasks` that are not tasks, because they have no box. */
  readonly boxless: readonly SourceLine[];
  /** Tasks on a different level than the first of their section. */
  readonly uneven: readonly TaskDraft[];
  readonly agentLines: readonly SourceLine[];
  /** All lines that do not belong to a task. */
  readonly otherLines: readonly SourceLine[];
  /** The first heading of level 1; `overview` is the text between it and the first heading with a meaning. */
  readonly title?: Span;
  readonly overview: Span;
}

const reserved = new Set(["rules", "context", "questions", "notes", "out of scope"]);

/** Headings that never hold tasks or success criteria. */
export function isReserved(title: string): boolean {
  return reserved.has(meaningOf(title));
}

function meaningOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .replace(/:$/, "")
    .trim();
}

export function outline(text: string, lines: readonly SourceLine[], from: number): Outline {
  const sections: PlanSection[] = [];
  const taskSections: TaskSection[] = [];
  const drafts: TaskDraft[] = [];
  const boxless: SourceLine[] = [];
  const uneven: TaskDraft[] = [];
  const agentLines: SourceLine[] = [];
  const otherLines: SourceLine[] = [];
  const ends = sectionEnds(lines);
  let title: Span | undefined;
  let overviewEnd: number | undefined;
  let overviewStart = from;

  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    otherLines.push(line);
    if (!line.heading) {
      at += 1;
      continue;
    }
    const { level, title: span } = line.heading;
    const words = text.slice(span.start, span.end);
    const meaning = span.end - span.start > 40 ? "" : meaningOf(words);
    const end = ends[at] ?? lines.length;
    const whole = { start: line.start, end: lines[end]?.start ?? text.length };
    if (level === 1 && !title && meaning !== "tasks" && meaning !== "agents") {
      title = span;
      overviewStart = line.next;
    }
    const hasMeaning = meaning === "tasks" || meaning === "agents" || reserved.has(meaning);
    if (hasMeaning && overviewEnd === undefined) overviewEnd = line.start;
    if (meaning === "tasks") {
      taskSections.push({ level, below: line.next, end: whole.end });
      const found = readSection(text, lines.slice(at + 1, end), whole.end);
      // One by one: a call with a hundred thousand arguments would overflow the stack.
      for (const draft of found.drafts) drafts.push(draft);
      boxless.push(...found.boxless.slice(0, 100));
      uneven.push(...found.uneven.slice(0, 100));
      for (const each of found.others) otherLines.push(each);
      at = end;
      continue;
    }
    sections.push({ title: words, level, whole });
    if (meaning === "agents") {
      for (let each = at + 1; each < end; each += 1) {
        const inside = lines[each];
        if (inside) agentLines.push(inside);
      }
    }
    at += 1;
  }
  const overview = trimmed(text, overviewStart, Math.max(overviewStart, overviewEnd ?? text.length));
  const found = { sections, taskSections, drafts, boxless, uneven, agentLines, otherLines, overview };
  return title ? { ...found, title } : found;
}

/** For each heading, the index of the first line that is no longer below it: the next heading of its level or above. */
function sectionEnds(lines: readonly SourceLine[]): Int32Array {
  const ends = new Int32Array(lines.length);
  /** For each level, the index of the next heading of that level or above, walking backwards. */
  const next = new Array<number>(7).fill(lines.length);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const level = lines[at]?.heading?.level;
    if (level === undefined) continue;
    ends[at] = next[level] ?? lines.length;
    next.fill(at, level);
  }
  return ends;
}

interface Found {
  readonly drafts: TaskDraft[];
  readonly boxless: SourceLine[];
  readonly uneven: TaskDraft[];
  /** Lines of the section that do not belong to a task. */
  readonly others: SourceLine[];
}

function readSection(text: string, lines: readonly SourceLine[], end: number): Found {
  const found: Found = { drafts: [], boxless: [], uneven: [], others: [] };
  const first = lines.findIndex((line) => line.heading);
  readBullets(text, first === -1 ? lines : lines.slice(0, first), found);
  const level = lines[first]?.heading?.level ?? 0;
  if (first !== -1) readHeadings(text, lines.slice(first), { end, level }, found);
  return found;
}

/**
 * The tasks in a piece of a `Tasks` section that begins with one, if tasks have this form and level. Undefined if there
 * is anything between or after them.
 */
export function outlinePiece(
  text: string,
  lines: readonly SourceLine[],
  { form, level }: Pick<TaskDraft, "form" | "level">,
): readonly TaskDraft[] | undefined {
  const found: Found = { drafts: [], boxless: [], uneven: [], others: [] };
  if (form === "heading") {
    // A heading of a higher level than the tasks' would end their section, or be a task of another level.
    if (lines.some(({ heading }) => heading && heading.level < level)) return undefined;
    readHeadings(text, lines, { end: text.length, level }, found);
  } else {
    if (lines.some(({ heading }) => heading)) return undefined;
    readBullets(text, lines, found);
  }
  let end = 0;
  for (const { whole } of found.drafts) {
    if (whole.start !== end) return undefined;
    end = whole.end;
  }
  return found.others.length === 0 && end === text.length ? found.drafts : undefined;
}

function readHeadings(
  text: string,
  lines: readonly SourceLine[],
  { end, level }: { readonly end: number; readonly level: number },
  found: Found,
): void {
  for (let at = 0; at < lines.length; ) {
    const head = lines[at];
    if (!head?.heading) return;
    let next = at + 1;
    while (next < lines.length && (lines[next]?.heading?.level ?? 7) > level) next += 1;
    const { title } = head.heading;
    const body = lines.slice(at + 1, next);
    if (isReserved(text.slice(title.start, Math.min(title.end, title.start + 40)))) {
      found.others.push(head);
      for (const line of body) found.others.push(line);
    } else {
      const whole = { start: head.start, end: lines[next]?.start ?? end };
      const draft: TaskDraft = { form: "heading", level, title, head, body, whole };
      found.drafts.push(draft);
      if (head.heading.level !== level) found.uneven.push(draft);
    }
    at = next;
  }
}

/** How many columns a line must be indented to be inside a bullet. */
const nesting = 2;

function readBullets(text: string, lines: readonly SourceLine[], found: Found): void {
  for (let at = 0; at < lines.length; ) {
    const head = lines[at];
    if (!head) return;
    if (head.item?.tick === undefined) {
      if (head.item && head.indent < nesting) found.boxless.push(head);
      found.others.push(head);
      at += 1;
      continue;
    }
    let last = at;
    for (let next = at + 1; next < lines.length; next += 1) {
      const line = lines[next];
      if (!line || (line.kind !== "blank" && line.indent < head.indent + nesting)) break;
      if (line.kind !== "blank") last = next;
    }
    const body = lines.slice(at + 1, last + 1);
    const continued = titleLines(text, body);
    const title = trimmed(text, head.item.content, (continued.at(-1) ?? head).end);
    const whole = { start: head.start, end: (lines[last] ?? head).next };
    found.drafts.push({ form: "bullet", level: 7, title, head, body: body.slice(continued.length), whole });
    at = last + 1;
  }
}

/** A title may continue on the lines directly below it, up to the first that means something else. */
function titleLines(text: string, body: readonly SourceLine[]): SourceLine[] {
  const end = body.findIndex(
    (line) => line.kind !== "text" || fieldLike.test(text.slice(line.first, line.first + 60)),
  );
  return body.slice(0, end === -1 ? body.length : end);
}

const fieldLike = /^(?:\*\*)?[A-Za-z][A-Za-z0-9 _-]{0,39}(?:\*\*)?:/;
