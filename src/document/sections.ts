/**
 * The sections of a document: every heading with what stands below it, up to the next heading of its level or above.
 *
 * Each has a slug of its own as GitHub would make it; a second one of the same title gets a number (`setup-1`).
 */
import { readFrontMatter } from "../plan/front-matter.ts";
import { idFromTitle } from "../plan/id.ts";
import { scanLines } from "../plan/lines.ts";
import type { Span } from "../plan/plan.ts";
import { Findings } from "../plan/problem.ts";

export interface Section {
  readonly slug: string;
  readonly title: string;
  readonly level: number;
  /** The heading and everything below it, sub-sections included. */
  readonly whole: Span;
  /** The words of the heading. */
  readonly titleAt: Span;
  /** Where the heading's line ends, the line end included. */
  readonly below: number;
  /** Where its own text ends and its first sub-section begins. */
  readonly ownEnd: number;
  /** The slug of the section around it. */
  readonly parent?: string;
}

export interface Sections {
  /** In the order of the document. */
  readonly all: readonly Section[];
  find(slug: string): Section | undefined;
}

export function readSections(text: string): Sections {
  const { end } = readFrontMatter(text, new Findings());
  const headings = scanLines(text, end).lines.filter((line) => line.heading);
  const taken = new Map<string, number>();
  const all: Section[] = [];
  const around: Section[] = [];
  headings.forEach((line, at) => {
    const { level, title: titleAt } = line.heading ?? {
      level: 1,
      title: { start: line.first, end: line.end },
    };
    const title = text.slice(titleAt.start, titleAt.end).replace(/\s*\n\s*/g, " ");
    while ((around.at(-1)?.level ?? 0) >= level) around.pop();
    const parent = around.at(-1)?.slug;
    let next = at + 1;
    while (next < headings.length && (headings[next]?.heading?.level ?? 0) > level) next += 1;
    const section: Section = {
      slug: uniqueSlug(title, taken),
      title,
      level,
      whole: { start: line.start, end: headings[next]?.start ?? text.length },
      titleAt,
      below: line.next,
      ownEnd: headings[at + 1]?.start ?? text.length,
      ...(parent !== undefined && { parent }),
    };
    all.push(section);
    around.push(section);
  });
  const bySlug = new Map(all.map((section) => [section.slug, section]));
  return { all, find: (slug) => bySlug.get(slug) };
}

function uniqueSlug(title: string, taken: Map<string, number>): string {
  const slug = idFromTitle(title) || "section";
  let unique: string = slug;
  for (let count = taken.get(slug) ?? 0; taken.has(unique); ) {
    count += 1;
    unique = `${slug}-${count}`;
    taken.set(slug, count);
  }
  taken.set(unique, 0);
  return unique;
}
