/** Parses Markdown that is to be put into a document on its own: its headings, and why it cannot go there. */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type Target, unclosedProblem } from "./section-draft.ts";
import { readSections } from "./sections.ts";

export interface SectionContent {
  readonly heads: readonly { readonly title: string; readonly level: number }[];
  readonly beginsWithHeading: boolean;
}

/** Reads its headings; none may be of a level above `least`. */
export function readContent(block: string, least: number): SectionContent | { readonly problem: Problem } {
  const { all, unclosed } = readSections(block, 0);
  if (unclosed) return { problem: unclosedProblem };
  const high = all.find(({ level }) => level < least);
  if (high) return { problem: tooHigh(high, least) };
  return { heads: all, beginsWithHeading: all[0]?.whole.start === 0 };
}

/** People who rewrite a section often start with its heading. */
export function withoutHeading(content: string, { title, level }: Pick<Target, "title" | "level">): string {
  const [first] = readSections(content, 0).all;
  if (first?.title !== title || first.level !== level) return content;
  return content.slice(0, first.whole.start).trim() === "" ? content.slice(first.below) : content;
}

/** Text added after something that is never closed would be lost in it. */
export function openAbove(
  text: string,
  unclosed: { readonly start: number } | undefined,
  at: number,
): Problem | undefined {
  if (!unclosed || unclosed.start >= at) return undefined;
  const line = text.slice(0, unclosed.start).split("\n").length;
  return {
    code: "SECTION_UNCLOSED",
    message: `a code fence or comment that begins in line ${line} of the document is never closed; what is added below would be a part of it`,
    hint: "Fix the section that contains it first, with replace.",
  };
}

function tooHigh({ title, level }: { title: string; level: number }, least: number): Problem {
  return {
    code: "SECTION_LEVEL",
    message: `the heading ${quote(title, 60)} of level ${level} in the content would end the section`,
    hint:
      least > 6
        ? "No heading goes deeper than level 6; write the content without headings."
        : `Begin with ${"#".repeat(least)}, or make it a section of its own with insert_after.`,
    field: "content",
  };
}
