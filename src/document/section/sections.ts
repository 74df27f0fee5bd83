/**
 * The sections of a document: each heading with what follows, up to the next heading of the same level or above.
 *
 * Each has a unique slug as GitHub would make it; a second section with the same title gets a number (`setup-1`). The
 * text before the first heading plus the own texts of all sections make up the document, byte for byte.
 */

import { asId, idFromTitle } from "../../plan/id.ts";
import type { Span } from "../../plan/plan.ts";
import { PlanFindings } from "../../plan/problem.ts";
import { findFrontMatter } from "../../plan/read/front-matter.ts";
import { type SourceLine, scanLines } from "../../plan/read/lines.ts";

export interface DocumentSection {
  readonly slug: string;
  readonly title: string;
  readonly level: number;
  /** The heading and everything below it, sub-sections included. */
  readonly whole: Span;
  /** The words of the heading. */
  readonly titleAt: Span;
  /** Where the heading's line ends, including its line end. */
  readonly below: number;
  /** Where its own text ends and its first sub-section starts. */
  readonly ownEnd: number;
  /** The slug of the section that contains it. */
  readonly parent?: string;
}

export interface Sections {
  /** In document order. */
  readonly all: readonly DocumentSection[];
  /** Where the text starts, after a byte order mark and front matter. */
  readonly begin: number;
  /** A code fence or comment that was never closed hides everything below it. */
  readonly unclosed?: Span;
  find(slug: string): DocumentSection | undefined;
  /** The innermost section around an offset; undefined before the first heading. */
  at(offset: number): DocumentSection | undefined;
}

/** Pass `begin` for a piece of a document, which has no front matter. */
export function readSections(text: string, begin = beginOf(text)): Sections {
  const { lines, unclosed } = scanLines(text, begin);
  const all = sectionsOf(text, lines);
  const bySlug = new Map(all.map((section) => [section.slug, section]));
  return {
    all,
    begin,
    ...(unclosed && { unclosed }),
    find: (slug) => bySlug.get(slug) ?? bySlug.get(asId(slug)),
    at: (offset) => all[lastAtOrBefore(all, offset)],
  };
}

function beginOf(text: string): number {
  const source = { prefix: "PLAN", name: "the front matter", limitCode: "LIMIT_FRONT_MATTER" } as const;
  return findFrontMatter(text, { source, findings: new PlanFindings() }).end;
}

function sectionsOf(text: string, lines: readonly SourceLine[]): DocumentSection[] {
  const headings = lines.flatMap(({ start, next, heading }) =>
    heading ? [{ start, next, ...heading }] : [],
  );
  const ends = wholeEnds(headings, text.length);
  const slugs = new Slugs();
  const all: DocumentSection[] = [];
  const around: DocumentSection[] = [];
  for (const [at, { start, next, level, title: titleAt }] of headings.entries()) {
    while ((around.at(-1)?.level ?? 0) >= level) around.pop();
    const parent = around.at(-1)?.slug;
    const title = text.slice(titleAt.start, titleAt.end).replace(/\s*\n\s*/g, " ");
    const section: DocumentSection = {
      slug: slugs.take(title),
      title,
      level,
      whole: { start, end: ends[at] ?? text.length },
      titleAt,
      below: next,
      ownEnd: headings[at + 1]?.start ?? text.length,
      ...(parent !== undefined && { parent }),
    };
    all.push(section);
    around.push(section);
  }
  return all;
}

/** For each heading, where the next one of its level or above starts; computed from the end. */
function wholeEnds(headings: readonly { start: number; level: number }[], end: number): number[] {
  const ends = new Array<number>(headings.length);
  const next = new Array<number>(7).fill(end);
  for (const [at, { start, level }] of [...headings.entries()].reverse()) {
    ends[at] = next[level] ?? end;
    next.fill(start, level);
  }
  return ends;
}

class Slugs {
  /** Maps each slug to the last number given to a repeat of it. */
  readonly #taken = new Map<string, number>();

  take(title: string): string {
    const slug: string = idFromTitle(title) || "section";
    let unique = slug;
    for (let count = this.#taken.get(slug) ?? 0; this.#taken.has(unique); ) {
      count += 1;
      unique = `${slug}-${count}`;
      this.#taken.set(slug, count);
    }
    this.#taken.set(unique, 0);
    return unique;
  }
}

function lastAtOrBefore(all: readonly DocumentSection[], offset: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.whole.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
