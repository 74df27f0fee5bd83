/**
 * A document while its sections are edited, one operation after another.
 *
 * Every section keeps its identity, whatever its slug becomes. After each step the text is parsed again. The headings
 * must be the expected ones, each under the same parent as before; otherwise the inserted text swallowed something.
 */
import type { Splice } from "../../plan/edit/splice.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { Pieces } from "../text/pieces.ts";
import { type DocumentSection, readSections, type Sections } from "./sections.ts";

/** A heading with its identity: those of the original are numbered in order, new ones after them. */
export interface DraftHeading {
  readonly id: number;
  readonly title: string;
  readonly level: number;
}

/** What an operation applies to: a section, or the whole document, which contains all of them. */
export interface Target extends Pick<DocumentSection, "level" | "whole" | "below" | "ownEnd" | "title"> {
  readonly index: number;
  readonly slug?: string;
}

export class SectionDraft {
  readonly pieces: Pieces;
  readonly original: Sections;
  #sections: Sections;
  #heads: readonly DraftHeading[];
  #nextId: number;

  constructor(text: string, sections: Sections) {
    this.pieces = new Pieces(text);
    this.original = sections;
    this.#sections = sections;
    this.#heads = sections.all.map(({ title, level }, id) => ({ id, title, level }));
    this.#nextId = sections.all.length;
  }

  get text(): string {
    return this.pieces.text;
  }

  get sections(): Sections {
    return this.#sections;
  }

  get heads(): readonly DraftHeading[] {
    return this.#heads;
  }

  newHeads(sections: readonly Pick<DraftHeading, "title" | "level">[]): DraftHeading[] {
    return sections.map(({ title, level }) => {
      this.#nextId += 1;
      return { id: this.#nextId - 1, title, level };
    });
  }

  /**
   * The section that originally had the slug, wherever it is; else a new one with that slug. `gone` if it was removed.
   */
  find(slug: string): Target | "gone" | undefined {
    const first = this.original.find(slug);
    const now = this.#sections.find(slug);
    const firstId = first ? this.original.all.indexOf(first) : -1;
    const index = first
      ? this.#heads.findIndex(({ id }) => id === firstId)
      : now
        ? this.#sections.all.indexOf(now)
        : -1;
    if (index !== -1) return this.target(index);
    return first ? "gone" : undefined;
  }

  /** The section of the document's only title, or everything. */
  whole(): Target {
    const { all } = this.#sections;
    const isTitled = all[0]?.level === 1 && all.every(({ level }, index) => index === 0 || level > 1);
    return this.target(isTitled ? 0 : -1);
  }

  /** -1 means everything. */
  target(index: number): Target {
    const { all, begin } = this.#sections;
    const section = all[index];
    if (section) return { ...section, index };
    const end = this.text.length;
    const ownEnd = all[0]?.whole.start ?? end;
    return { level: 0, title: "", whole: { start: begin, end }, below: begin, ownEnd, index: -1 };
  }

  slugsById(): Map<number, string> {
    const { all } = this.#sections;
    return new Map(this.#heads.map(({ id }, at) => [id, all[at]?.slug ?? ""]));
  }

  /** How many sections lie inside it. */
  countInside({ index, level }: Target): number {
    let end = index + 1;
    while (end < this.#heads.length && (this.#heads[end]?.level ?? 0) > level) end += 1;
    return end - index - 1;
  }

  step(splice: Splice, heads: readonly DraftHeading[]): Problem | undefined {
    const parents = parentsOf(this.#heads);
    const wasUnclosed = this.#sections.unclosed !== undefined;
    this.pieces.splice(splice);
    this.#sections = readSections(this.text);
    this.#heads = heads;
    if (this.#sections.unclosed && !wasUnclosed) return unclosedProblem;
    const { all } = this.#sections;
    const wrong = heads.findIndex(
      ({ title, level }, at) => all[at]?.title !== title || all[at]?.level !== level,
    );
    if (wrong !== -1 || all.length !== heads.length) return changedProblem(heads[wrong] ?? all[heads.length]);
    const now = parentsOf(heads);
    const swallowed = heads.find(({ id }) => parents.has(id) && parents.get(id) !== now.get(id));
    return swallowed && swallowedProblem(swallowed);
  }
}

/** The section that was made or changed, by its identity; undefined for the document. */
export type DraftStep = { readonly id: number | undefined } | { readonly problem: Problem };

export function stepped(problem: Problem | undefined, id: number | undefined): DraftStep {
  return problem ? { problem } : { id };
}

export const unclosedProblem: Problem = {
  code: "SECTION_UNCLOSED",
  message:
    "the content opens a code fence, a comment or a <pre> that it does not close, which would swallow what follows",
  hint: "Close it in the content.",
  field: "content",
};

function parentsOf(heads: readonly DraftHeading[]): Map<number, number | undefined> {
  const around: DraftHeading[] = [];
  return new Map(
    heads.map((head) => {
      while ((around.at(-1)?.level ?? 0) >= head.level) around.pop();
      const parent = around.at(-1)?.id;
      around.push(head);
      return [head.id, parent];
    }),
  );
}

function changedProblem(head: Pick<DraftHeading, "title"> | undefined): Problem {
  return {
    code: "SECTION_SHAPE",
    message: `the document would be read differently than intended at the heading ${quote(head?.title ?? "", 60)}`,
    hint: "Leave out what begins or ends a block there: marks of headings, fences, comments, lines of = or -.",
  };
}

function swallowedProblem({ title }: DraftHeading): Problem {
  return {
    code: "SECTION_SWALLOWS",
    message: `the section ${quote(title, 60)} behind it would become a part of what is added`,
    hint: "Use headings of a higher level number in the content, or add a section behind it with insert_after.",
  };
}
