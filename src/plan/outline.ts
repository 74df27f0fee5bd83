/** Lines → where everything stands: the sections of a document, and its tasks as ranges of lines. */
import { type Line, trimmed } from "./lines.ts";
import type { Section, Span, TaskSection } from "./plan.ts";

/** A task as lines; nothing of it is read yet. */
export interface TaskDraft {
  readonly form: "heading" | "bullet";
  /** Headings of this level or above end it; 7 for a bullet, which any heading ends. */
  readonly level: number;
  readonly title: Span;
  readonly head: Line;
  /** The lines below its title. */
  readonly body: readonly Line[];
  readonly whole: Span;
}

export interface Outline {
  readonly sections: readonly Section[];
  readonly taskSections: readonly TaskSection[];
  readonly drafts: readonly TaskDraft[];
  /** Bullets directly below `Tasks` that are no tasks, because they have no box. */
  readonly boxless: readonly Line[];
  /** Tasks on another level than the first of their section. */
  readonly uneven: readonly TaskDraft[];
  readonly agentLines: readonly Line[];
  /** All lines that belong to no task. */
  readonly otherLines: readonly Line[];
  /** The first heading of level 1, the text between it and the first heading with a meaning. */
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

export function outline(text: string, lines: readonly Line[], from: number): Outline {
  const sections: Section[] = [];
  const taskSections: TaskSection[] = [];
  const drafts: TaskDraft[] = [];
  const boxless: Line[] = [];
  const uneven: TaskDraft[] = [];
  const agentLines: Line[] = [];
  const otherLines: Line[] = [];
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
      // One by one: a call with a hundred thousand arguments has no room on the stack.
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

/** For each heading the index of the first line that is no longer below it: the next heading of its level or above. */
function sectionEnds(lines: readonly Line[]): Int32Array {
  const ends = new Int32Array(lines.length);
  /** By level, the index of the next heading of that level or above, seen from the end. */
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
  readonly boxless: Line[];
  readonly uneven: TaskDraft[];
  /** Lines of the section that belong to no task. */
  readonly others: Line[];
}

function readSection(text: string, lines: readonly Line[], end: number): Found {
  const found: Found = { drafts: [], boxless: [], uneven: [], others: [] };
  const first = lines.findIndex((line) => line.heading);
  readBullets(text, first === -1 ? lines : lines.slice(0, first), found);
  const level = lines[first]?.heading?.level ?? 0;
  if (first !== -1) readHeadings(text, lines.slice(first), { end, level }, found);
  return found;
}

/**
 * The tasks of a piece of a `Tasks` section that begins with one, where tasks are of this form and level. Nothing when
 * there is anything between or behind them.
 */
export function outlinePiece(
  text: string,
  lines: readonly Line[],
  { form, level }: Pick<TaskDraft, "form" | "level">,
): readonly TaskDraft[] | undefined {
  const found: Found = { drafts: [], boxless: [], uneven: [], others: [] };
  if (form === "heading") {
    // A heading above the tasks' own would end their section, unless it is the task's.
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
  lines: readonly Line[],
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

/** The columns by which something must be indented to stand inside a bullet. */
const nesting = 2;

function readBullets(text: string, lines: readonly Line[], found: Found): void {
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

/** A title may go on over the lines directly below it, up to the first that means something else. */
function titleLines(text: string, body: readonly Line[]): Line[] {
  const end = body.findIndex(
    (line) => line.kind !== "text" || fieldLike.test(text.slice(line.first, line.first + 60)),
  );
  return body.slice(0, end === -1 ? body.length : end);
}

const fieldLike = /^(?:\*\*)?[A-Za-z][A-Za-z0-9 _-]{0,39}(?:\*\*)?:/;
